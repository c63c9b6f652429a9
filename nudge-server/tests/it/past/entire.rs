//! `nudge learn --from entire`: what a branch of the repository says, which others can write.

use std::path::Path;

use serde_json::{Value, json};

use super::{came_of, claude, codex, codex_session, desk, learn, lines, time};
use crate::kept::Desk;
use crate::need::need;
use crate::sync::script::Script;

const BRANCH: &str = "refs/heads/entire/checkpoints/v1";

/// A file of a checkpoint: its mode, its name, and what it holds.
type File = (&'static str, String, Vec<u8>);

/// A session of an agent in a checkpoint, written some minutes ago.
fn session(id: &str, agent: &str, minutes: i64, transcript: &[Value]) -> Vec<File> {
    let about = json!({"checkpoint_id": id, "session_id": format!("s-{agent}"), "agent": agent,
        "created_at": time(minutes), "strategy": "manual-commit", "branch": "main"});
    let file = |name: &str, text: String| {
        let path = format!("{}/{}/0/{name}", &id[..2], &id[2..]);
        ("100644", path, text.into_bytes())
    };
    vec![
        file("metadata.json", about.to_string()),
        file("full.jsonl", lines(transcript)),
        file("prompt.txt", "make it work".to_owned()),
    ]
}

/// Makes the branch of a repository hold some files.
fn branch(repository: &Path, files: &[File]) {
    let files = files.iter();
    let files: Vec<_> = files
        .map(|(mode, name, text)| (*mode, &**name, &**text))
        .collect();
    Script::new().commit(BRANCH, &files, None).write(repository);
}

/// A clone that git takes for one.
fn clone(desk: &Desk, name: &str) -> std::path::PathBuf {
    let root = desk.repository(name, &[]);
    std::fs::create_dir_all(root.join(".git/objects")).unwrap();
    root
}

#[test]
fn a_branch_of_checkpoints_teaches_when_it_is_named_and_only_of_where_it_is() {
    if !need("git", "git") {
        return;
    }
    let desk = desk();
    let (api, web) = (clone(&desk, "api"), clone(&desk, "web"));
    let below = api.join("sub");
    std::fs::create_dir(&below).unwrap();
    let older = claude(&api, 40, "make build", None);
    let lines = [
        claude(&api, 30, "make test", None),
        claude(&web, 20, "make build", None),
        claude(Path::new("/home/somebody"), 10, "make lint", None),
    ];
    let build = codex_session(&api, &codex(5, "cargo build"));
    let files = [
        session("aa0123456789", "Claude Code", 9, &lines.concat()),
        // It was written before, and the newer holds all of it.
        session("bb0123456789", "Claude Code", 39, &older),
        session("cc0123456789", "Codex", 4, &build),
        session("dd0123456789", "Gemini CLI", 3, &older),
        session("ee0123456789", "Claude Code 2", 200 * 24 * 60, &older),
    ];
    branch(&api, &files.concat());

    // Nobody has asked for it.
    assert_eq!(desk.status(&api, "learn"), 1);
    // There is none.
    assert_eq!(desk.status(&web, "learn --from entire"), 1);
    let expected = ["entire 2 api/build=cargo build api/test=make test"];
    let from = ["--from", "entire"];
    let would = learn(&desk, &api, &["--dry-run", from[0], from[1]]);
    assert_eq!(came_of(&would), expected);
    let learned = learn(&desk, &below, &from);
    assert_eq!(came_of(&learned), expected);
    let left = &learned["sources"][0]["left_alone"];
    let expected = json!({"what happened outside the repositories that are here": 2,
        "files in an unknown format": 1, "files older than 90 days": 1});
    assert_eq!(*left, expected);
    assert_eq!(desk.types(&api, "get api test --raw"), "make test\n");
    assert_eq!(came_of(&learn(&desk, &api, &from)), ["entire 0"]);
}

#[test]
fn a_hostile_branch_is_answered_with_words() {
    if !need("git", "git") {
        return;
    }
    let desk = desk();
    let api = clone(&desk, "api");
    let ran = claude(&api, 30, "make test", None);
    let good = session("aa0123456789", "Claude Code", 9, &ran);
    let mut huge = session("bb0123456789", "Codex", 8, &[]);
    huge[1].2 = vec![b' '; 17 << 20];
    let mut linked = session("cc0123456789", "Copilot CLI", 7, &[]);
    linked[1] = ("120000", linked[1].1.clone(), b"/etc/passwd".to_vec());
    let mut broken = session("dd0123456789", "Claude Code", 6, &[]);
    broken[0].2 = b"{\"agent\": \"Claude".to_vec();
    let mut garbage = session("ee0123456789", "OpenCode", 5, &[]);
    let about = json!({"agent": "Codex", "created_at": time(5)});
    garbage[0].2 = about.to_string().into();
    garbage[1].2 = [b"\xff\x00".to_vec(), "[".repeat(9000).into()].concat();
    let deep = ("100644", "a/".repeat(500) + "full.jsonl", b"{}".to_vec());
    let files = [good, huge, linked, broken, garbage, vec![deep]].concat();
    branch(&api, &files);
    let said = desk.types(&api, "learn --from entire");
    assert_eq!(
        said,
        "✔ Entire: read 1 command and 0 changes in 1 file\n  learned api/test: make test\n    \
         worked 1× in git:github.com/acme/api\n  1 observation recorded\n  \
         left alone: checkpoints that are too large or too many (1)\n  \
         left alone: files in an unknown format (2)\n  left alone: links and devices (1)\n"
    );

    // What git says of a branch that leads nowhere.
    let name = "1".repeat(40);
    std::fs::write(api.join(".git").join(BRANCH), name.clone() + "\n").unwrap();
    let learned = learn(&desk, &api, &["--from", "entire"]);
    let left = learned["sources"][0]["left_alone"].as_object().unwrap();
    let words: Vec<&String> = left.keys().collect();
    assert_eq!(words.len(), 1, "{learned}");
    assert!(words[0].starts_with("git: fatal: "), "{learned}");
}
