//! `nudge check`: what it looks at, what it says, and how it ends. No server is there.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::{Folder, folder};

/// A project of files, each a path and a text.
fn project(files: &[(&str, &str)]) -> Folder {
    let project = folder();
    fs::create_dir(project.path().join(".git")).unwrap();
    fs::write(project.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    for (path, text) in files {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

/// The exit status, and what was printed, errors after the rest.
fn check(cwd: &Path, words: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nudge"));
    command.arg("check").args(words.split_whitespace());
    command
        .env_clear()
        .env("NUDGE_RUNTIME_DIR", cwd.join("none"));
    let output = command.current_dir(cwd).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code().unwrap(), printed.concat())
}

#[test]
fn commands_that_are_gone_are_named_with_their_place_and_the_nearest_name() {
    let hints = json!({"components": {
        "web": {"hints": {
            "test": {"value": {"type": "command", "cmd": "npm run test:e2e"},
                     "meta": {"scope": {"cwd_glob": ["./packages/web/**"]}}},
            "note": [{"value": "make sure that the database is up"}, {"value": "make lint"}],
            "u": {"value": {"type": "path", "abs": "make path"}},
            "v": {"value": "make glob", "meta": {"scope": {"cwd_glob": ["**/web*"]}}},
        }},
    }});
    let agents = "# For agents\n\nRun `npm run test:unit` and `npm run lint`, never `cargo test`.\n\n\
        ```sh\ncd packages/web\nnpm run build && npm run serve\n```\n\n```\nnpm run no-shell\n$ make\n```\n\
        ~~~bash\n$ cd packages/web\n$ npm run x\ncd .. && npm run y\ncd \"$X\"\nnpm run z\n~~~\n\
        ```python\nnpm run python\n```\n`cd packages/web && npm run one`, `npm run two`\n";
    let project = project(&[
        (
            "package.json",
            r#"{"scripts": {"test:ci": "x", "lint": "y"}}"#,
        ),
        (
            "packages/web/package.json",
            r#"{"scripts": {"build": "x", "server": "y"}}"#,
        ),
        ("Makefile", "lint:\n\tx\n"),
        (
            ".nudge-hints.json",
            &serde_json::to_string_pretty(&hints).unwrap(),
        ),
        ("AGENTS.md", agents),
        ("CLAUDE.md", agents),
    ]);
    let expected = ".nudge-hints.json:22: `npm run test:e2e` is gone from packages/web/package.json\n\
        AGENTS.md:3: `npm run test:unit` is gone from package.json; nearest is `test:ci`\n\
        AGENTS.md:7: `npm run serve` is gone from packages/web/package.json; nearest is `server`\n\
        AGENTS.md:16: `npm run x` is gone from packages/web/package.json\n\
        AGENTS.md:17: `npm run y` is gone from package.json\n\
        AGENTS.md:24: `npm run one` is gone from packages/web/package.json\n\
        AGENTS.md:24: `npm run two` is gone from package.json\n";
    for folder in ["", "packages"] {
        let checked = check(&project.path().join(folder), "");
        assert_eq!(checked, (1, expected.to_owned()));
    }
    let (status, printed) = check(project.path(), "--json");
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((status, &printed["checked"]), (1, &json!(10)));
    let second = json!({"source": "AGENTS.md", "line": 3, "command": "npm run test:unit",
        "name": "test:unit", "from": "package.json", "near": "test:ci"});
    assert_eq!(printed["gone"][1], second);
}

#[test]
fn what_resolves_anywhere_or_cannot_be_told_is_fine() {
    let project = project(&[
        (
            "packages/api/package.json",
            r#"{"scripts": {"test:api": "x"}}"#,
        ),
        ("package.json", r#"{"scripts": {"lint": "x"}}"#),
        (
            "AGENTS.md",
            "In the API: `npm run test:api`. Also `npm run lint`, `pnpm turbo x`.\n",
        ),
    ]);
    let resolved = (0, "all 2 commands resolve\n".to_owned());
    assert_eq!(check(project.path(), ""), resolved);
    fs::remove_file(project.path().join("AGENTS.md")).unwrap();
    let nothing = (0, "nothing to check\n".to_owned());
    assert_eq!(check(project.path(), ""), nothing);
}

#[test]
fn a_file_that_is_named_is_looked_at_alone() {
    let project = project(&[
        ("web/package.json", r#"{"scripts": {"lint": "x"}}"#),
        ("web/NOTES.md", "`npm run lint`, `npm run tests`\n"),
        ("AGENTS.md", "`npm run gone`\n"),
    ]);
    let gone = "web/NOTES.md:1: `npm run tests` is gone from web/package.json\n";
    assert_eq!(check(project.path(), "web/NOTES.md"), (1, gone.to_owned()));
    let (status, printed) = check(project.path(), "web/absent.md");
    let unread = "`web/absent.md` cannot be read: ";
    assert!(status == 2 && printed.starts_with(unread), "{printed}");
}

#[test]
fn nothing_that_a_terminal_acts_upon_is_printed() {
    let project = project(&[
        ("a\u{1b}[31m/package.json", r#"{"scripts": {"lint": "x"}}"#),
        ("a\u{1b}[31m/x.md", "`npm run gone \u{202e}x`\n"),
    ]);
    let (status, printed) = check(&project.path().join("a\u{1b}[31m"), "x.md");
    assert_eq!(status, 1);
    assert!(!printed.trim_end().contains(nudge::is_active), "{printed}");
}
