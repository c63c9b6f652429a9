//! Repositories that somebody else has written: nothing of them is told, run or written anywhere,
//! and the words are clear.

use std::fs;

use super::script::Script;
use super::{Home, bare, git};
use crate::process::folder;

const BRANCH: &str = "refs/heads/nudge/evil";
const FILE: &str = "100644";

/// One file of a machine that is not ours.
fn file(text: &[u8]) -> Script {
    Script::new().commit(BRANCH, &[(FILE, "everywhere.json", text)], None)
}

/// A payload with one hint.
fn hint(hint: &str) -> Script {
    let payload = format!(
        r#"{{"schema_version":"1.1","components":{{"api":{{"hints":{{"evil":{hint}}}}}}}}}"#
    );
    file(payload.as_bytes())
}

/// A payload with one mark.
fn mark(mark: &str) -> Script {
    let payload = format!(r#"{{"schema_version":"1.1","components":{{}},"marks":[{mark}]}}"#);
    file(payload.as_bytes())
}

fn stamped(value: &str, meta: &str) -> Script {
    hint(&format!(
        r#"{{"value":{value},"meta":{meta},"stamp":{{"counter":9,"machine":"evil","at":"2025-11-04T10:00:00.000Z"}}}}"#
    ))
}

fn stamp(stamp: &str) -> Script {
    hint(&format!(r#"{{"value":"x","stamp":{stamp}}}"#))
}

/// What comes of a repository: the refusal of all of it, or of what is in a file.
enum Fate {
    Refused(&'static str),
    LeftOut,
}

use Fate::{LeftOut, Refused};

const NOT_OURS: Fate = Refused("which Nudge did not write");

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn cases() -> Vec<(&'static str, Script, Fate)> {
    let named = |name: &str| Script::new().commit(name, &[(FILE, "a.json", b"{}")], None);
    let one = |mode, name: &str| Script::new().commit(BRANCH, &[(mode, name, b"{}")], None);
    let key = ["ghp", "_", "x7Kd92LmQ0pVt4ZbYc81WsNf6RhEj3AuGo5T"].concat();
    let deep = |open: &str, close: &str| [open.repeat(5_000), close.repeat(5_000)].concat();
    let large = vec![b' '; (8 << 20) + 1];
    let parent = Script::new().commit(BRANCH, &[(FILE, "a.json", b"{}")], None);
    let many = |count: usize| {
        let empty = br#"{"schema_version":"1.1","components":{}}"#;
        (0..count).fold(Script::new(), |script, at| {
            script.commit(
                &format!("refs/heads/nudge/m{at}"),
                &[(FILE, "a.json", empty)],
                None,
            )
        })
    };
    let wide: Vec<(String, Vec<u8>)> = (0..9_u8)
        .map(|at| (format!("f{at}.json"), vec![at + 32; 8 << 20]))
        .collect();
    let wide: Vec<_> = wide
        .iter()
        .map(|(name, text)| (FILE, name.as_str(), text.as_slice()))
        .collect();
    let gone = |of: &str| {
        mark(&format!(
            r#"{{"component":"api","key":"k","value":"","marked_at":"2025-11-04T10:00:00.000Z",{of}}}"#
        ))
    };
    let good_stamp = r#""stamp":{"counter":9,"machine":"evil","at":"2025-11-04T10:00:00.000Z"}"#;
    vec![
        // Refs.
        ("a branch of people", named("refs/heads/main"), NOT_OURS),
        ("a tag", named("refs/tags/v1"), NOT_OURS),
        ("a note", named("refs/notes/commits"), NOT_OURS),
        (
            "a branch below a machine's",
            named("refs/heads/nudge/a/b"),
            NOT_OURS,
        ),
        (
            "a machine in capitals",
            named("refs/heads/nudge/EVIL"),
            NOT_OURS,
        ),
        (
            "a machine with a dot",
            named("refs/heads/nudge/a.b"),
            NOT_OURS,
        ),
        (
            "a machine with a long name",
            named(&format!("refs/heads/nudge/{}", "m".repeat(65))),
            NOT_OURS,
        ),
        (
            "a branch that is like ours",
            named("refs/heads/nudge-evil"),
            NOT_OURS,
        ),
        ("a pull request", named("refs/pull/1/head"), NOT_OURS),
        (
            "a replaced object",
            named(&format!("refs/replace/{}", "1".repeat(40))),
            NOT_OURS,
        ),
        (
            "too many machines",
            many(257),
            Refused("more than 256 machines"),
        ),
        // Commits and trees.
        (
            "a history",
            parent.commit(BRANCH, &[(FILE, "a.json", b"[]")], None),
            NOT_OURS,
        ),
        ("a link", one("120000", "a.json"), NOT_OURS),
        (
            "a link to a password file",
            Script::new().commit(BRANCH, &[("120000", "a.json", b"/etc/passwd")], None),
            NOT_OURS,
        ),
        ("a program", one("100755", "a.json"), NOT_OURS),
        ("a submodule", one("160000", "a.json"), NOT_OURS),
        ("a list of submodules", one(FILE, ".gitmodules"), NOT_OURS),
        (
            "attributes with a filter",
            Script::new().commit(BRANCH, &[(FILE, ".gitattributes", b"* filter=evil")], None),
            NOT_OURS,
        ),
        (
            "a config with commands",
            Script::new().commit(
                BRANCH,
                &[(FILE, "config", b"[core]\nfsmonitor = touch ran\n")],
                None,
            ),
            NOT_OURS,
        ),
        ("a hook", one("100755", "hooks/post-checkout"), NOT_OURS),
        ("a folder", one(FILE, "a/b.json"), NOT_OURS),
        (
            "a name with two dots",
            one(FILE, "a..json/x.json"),
            NOT_OURS,
        ),
        ("a hidden name", one(FILE, ".a.json"), NOT_OURS),
        ("a name with a space", one(FILE, "\"a b.json\""), NOT_OURS),
        (
            "a name with a line break",
            one(FILE, "\"a\\nb.json\""),
            NOT_OURS,
        ),
        (
            "a name with an escape",
            one(FILE, "\"a\\033[2Jb.json\""),
            NOT_OURS,
        ),
        (
            "a name with a backslash",
            one(FILE, "\"a\\\\b.json\""),
            NOT_OURS,
        ),
        (
            "a name that is no text",
            one(FILE, "\"a\\377.json\""),
            NOT_OURS,
        ),
        (
            "a long name",
            one(FILE, &format!("{}.json", "a".repeat(200))),
            NOT_OURS,
        ),
        ("another ending", one(FILE, "a.sh"), NOT_OURS),
        ("a huge file", file(&large), Refused("more than 8 MiB")),
        (
            "too much in all",
            Script::new().commit(BRANCH, &wide, None),
            Refused("more than 64 MiB"),
        ),
        // Files.
        ("no JSON", file(b"#!/bin/sh\ntouch ran\n"), LeftOut),
        ("no text", file(&[0xff, 0xfe, 0, 0]), LeftOut),
        ("nothing", file(b""), LeftOut),
        ("a list", file(b"[]"), LeftOut),
        ("deep lists", file(deep("[", "]").as_bytes()), LeftOut),
        (
            "deep objects",
            file(deep("{\"a\":", "}").replace(":}", ":1}").as_bytes()),
            LeftOut,
        ),
        (
            "a later version",
            file(br#"{"schema_version":"9.0","components":{}}"#),
            LeftOut,
        ),
        ("no stamp", hint(r#"{"value":"x"}"#), LeftOut),
        (
            "a stamp of nobody",
            stamp(r#"{"counter":1,"machine":"","at":"2025-11-04T10:00:00.000Z"}"#),
            LeftOut,
        ),
        (
            "a stamp of a folder",
            stamp(r#"{"counter":1,"machine":"../../x","at":"2025-11-04T10:00:00.000Z"}"#),
            LeftOut,
        ),
        (
            "a stamp below nothing",
            stamp(r#"{"counter":-1,"machine":"evil","at":"2025-11-04T10:00:00.000Z"}"#),
            LeftOut,
        ),
        (
            "a stamp beyond all",
            stamp(
                r#"{"counter":18446744073709551615,"machine":"evil","at":"2025-11-04T10:00:00.000Z"}"#,
            ),
            LeftOut,
        ),
        (
            "a stamp without a time",
            stamp(r#"{"counter":1,"machine":"evil","at":"soon"}"#),
            LeftOut,
        ),
        (
            "a credential",
            stamped(&format!("\"{key}\""), "{}"),
            LeftOut,
        ),
        (
            "a credential as a reason",
            stamped("\"x\"", &format!(r#"{{"reason":"{key}"}}"#)),
            LeftOut,
        ),
        (
            "a secret",
            stamped("\"x\"", r#"{"sensitivity":"secret"}"#),
            LeftOut,
        ),
        (
            "a hint of a session",
            stamped("\"x\"", r#"{"ttl":"session"}"#),
            LeftOut,
        ),
        (
            "a project's hint",
            stamped("\"x\"", r#"{"origin":{"via":"project","root":"/"}}"#),
            LeftOut,
        ),
        (
            "an agent's hint that nobody saw work",
            stamped("\"x\"", r#"{"source":"agent"}"#),
            LeftOut,
        ),
        (
            "a scope with two dots",
            stamped("\"x\"", r#"{"scope":{"cwd_glob":["/a/../b"]}}"#),
            LeftOut,
        ),
        (
            "a value that is too large",
            stamped(&format!("\"{}\"", "x".repeat(9_000)), "{}"),
            LeftOut,
        ),
        (
            "a mark without a stamp",
            gone(r#""repo":"git:a/b""#),
            LeftOut,
        ),
        (
            "a mark of a credential",
            mark(&format!(
                r#"{{"component":"api","key":"{key}","value":"","marked_at":"2025-11-04T10:00:00.000Z",{good_stamp}}}"#
            )),
            LeftOut,
        ),
        (
            "a mark of a scope that is none",
            gone(&format!(
                r#""scope":{{"cwd_glob":["/a/../b"]}},{good_stamp}"#
            )),
            LeftOut,
        ),
    ]
}

#[test]
fn nothing_of_a_hostile_repository_is_told_run_or_written() {
    let cases = cases();
    assert!(cases.len() >= 50, "{}", cases.len());
    for (what, script, fate) in cases {
        let all = folder();
        let bare = bare(all.path());
        script.write(&bare);
        let before = git(&bare, &["for-each-ref"]);
        let home = Home::new(all.path().join("home"), &bare);
        match (home.sync_if(&|| true), fate) {
            (Err(words), Refused(why)) => {
                assert!(words.contains(why), "{what}: {words}");
                assert!(!words.contains(char::is_control), "{what}: {words:?}");
                assert_eq!(
                    git(&bare, &["for-each-ref"]),
                    before,
                    "{what}: nothing is pushed"
                );
            }
            (Ok(done), LeftOut) => assert!(done.refused > 0 && done.taken == 0, "{what}: {done:?}"),
            (Err(words), LeftOut) => panic!("{what}: {words}"),
            (Ok(done), Refused(why)) => panic!("{what}: not {why}, but {done:?}"),
        }
        assert_eq!(home.store.stats().hints, 0, "{what}");
        assert_eq!(
            home.files(),
            Vec::<String>::new(),
            "{what}: no mark is left"
        );
        let left = fs::read_dir(&home.folder).unwrap().flatten();
        let mut left: Vec<_> = left
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["sync.json", "sync.lock"], "{what}");
        let around = fs::read_dir(all.path()).unwrap().count();
        assert_eq!(around, 2, "{what}: nothing is written elsewhere");
    }
}

#[test]
fn only_addresses_of_repositories_are_taken() {
    let all = folder();
    let home = Home::new(all.path().join("home"), &bare(all.path()));
    for url in [
        "ext::sh -c touch% ran",
        "git://127.0.0.1/x",
        "http://127.0.0.1/x",
        "/etc",
        "--upload-pack=x",
    ] {
        let mut state = nudge_server::sync::State::load(&home.folder);
        state.point(url);
        state.save(&home.folder).unwrap();
        assert!(home.sync_if(&|| true).is_err(), "{url}");
    }
}
