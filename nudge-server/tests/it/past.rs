//! `nudge learn`: what others have left on disk is learned and recorded, once, and nothing that
//! looks like a credential.

mod entire;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use chrono::{SecondsFormat, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::checkout::{files_of, write};
use crate::kept::Desk;
use crate::says::Says;

/// A secret as it may stand in a command, and in what one prints.
const SECRET: &str = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

/// A desk whose user keeps and records.
fn desk() -> Desk {
    Desk::with_config("keep = true\nobserve = true\n")
}

fn ago(minutes: i64) -> chrono::DateTime<Utc> {
    Utc::now() - TimeDelta::minutes(minutes)
}

fn time(minutes: i64) -> String {
    ago(minutes).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The lines of a transcript.
fn lines(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

/// A command as Claude Code writes it down, which fails with what it prints, if anything.
fn claude(cwd: &Path, minutes: i64, command: &str, error: Option<&str>) -> [Value; 2] {
    let id = format!("toolu_{minutes}");
    let line = |kind: &str, block: Value| {
        json!({"type": kind, "sessionId": "c1", "cwd": cwd, "gitBranch": "main", "version": "2.1.325",
            "timestamp": time(minutes), "message": {"role": kind, "content": [block]}})
    };
    let used = json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}});
    let content = error.map_or("done".to_owned(), |error| format!("Exit code 1\n{error}"));
    let result = json!({"type": "tool_result", "tool_use_id": id, "is_error": error.is_some(), "content": content});
    let mut answered = line("user", result);
    answered["toolUseResult"] = json!({"stdout": "done", "stderr": "", "interrupted": false});
    [line("assistant", used), answered]
}

fn codex(minutes: i64, command: &str) -> [Value; 2] {
    let item = |payload: Value| json!({"timestamp": time(minutes), "type": "response_item", "payload": payload});
    let arguments = json!({"cmd": command}).to_string();
    let id = format!("call_{minutes}");
    let output = "Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\ndone";
    [
        item(
            json!({"type": "function_call", "name": "exec_command", "call_id": id, "arguments": arguments}),
        ),
        item(json!({"type": "function_call_output", "call_id": id, "output": output})),
    ]
}

/// A session of Codex with what it did.
fn codex_session(cwd: &Path, commands: &[Value]) -> Vec<Value> {
    let meta = json!({"timestamp": time(99), "type": "session_meta", "payload":
        {"id": "x1", "cwd": cwd, "git": {"branch": "main"}, "cli_version": "0.166.0"}});
    [&[meta][..], commands].concat()
}

/// A history as Atuin makes it: when, where, what, and how it ended.
fn atuin(path: &Path, rows: &[(i64, &Path, &str, i64)]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let history = Connection::open(path).unwrap();
    history
        .execute_batch(
            "CREATE TABLE history (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL,
                duration INTEGER NOT NULL, exit INTEGER NOT NULL, command TEXT NOT NULL,
                cwd TEXT NOT NULL, session TEXT NOT NULL, hostname TEXT NOT NULL,
                deleted_at INTEGER);",
        )
        .unwrap();
    for (minutes, cwd, command, exit) in rows {
        let begun = ago(*minutes).timestamp_nanos_opt().unwrap();
        let sql =
            "INSERT INTO history VALUES (?1, ?2, 1500000000, ?3, ?4, ?5, 'a1', 'box:me', NULL)";
        let cwd = cwd.to_str().unwrap();
        let row = (begun.to_string(), begun, exit, command, cwd);
        history.execute(sql, row).unwrap();
    }
    history.close().unwrap();
}

fn learn(desk: &Desk, cwd: &Path, flags: &[&str]) -> Value {
    let words = [&["learn", "--json"], flags].concat();
    serde_json::from_str(&desk.printed(cwd, &words)).unwrap()
}

/// The hints that were learned, and the observations, of each source.
fn came_of(learned: &Value) -> Vec<String> {
    let sources = learned["sources"].as_array().unwrap().iter();
    let line = |source: &Value| {
        let hints = source["learned"].as_array().unwrap().iter();
        let hints = hints.map(|it| {
            let command = &it["hint"]["value"]["cmd"];
            format!(" {}/{}={command}", it["component"], it["key"])
        });
        let hints: String = hints.collect();
        let (name, new) = (&source["source"], &source["observations"]);
        format!("{name} {new}{hints}").replace('"', "")
    };
    sources.map(line).collect()
}

#[test]
fn what_worked_before_is_learned_and_recorded_once() {
    let desk = desk();
    let manifest = r#"{"scripts": {"test": "vitest run", "build": "tsc"}}"#;
    let api = desk.repository("api", &[("package.json", manifest), ("pnpm-lock.yaml", "")]);
    let web = desk.repository("web", &[]);
    let gone = desk.home().join("gone");
    let with_secret = format!("TOKEN={SECRET} make deploy");
    let leaks = format!("denied for {SECRET}\n\u{1b}[31m<b>ignore all</b>\u{202e}");
    let home = desk.home();
    let commands = [
        claude(&api, 90, "pnpm test", None),
        claude(&api, 80, "pnpm run build", None),
        // It is gone from the manifest, or failed last.
        claude(&api, 70, "pnpm run lint", None),
        claude(&web, 60, "make test", None),
        claude(&web, 50, "make test", Some("boom")),
        claude(&api, 45, &with_secret, None),
        claude(&api, 40, "make login", Some(&leaks)),
        claude(&gone, 30, "make test", None),
    ];
    let transcript = home.join(".claude/projects/-work-api/c1.jsonl");
    write(&transcript, lines(&commands.concat()));
    let commands = [codex(20, "cargo test"), codex(15, "ls")].concat();
    let rollout = home.join(".codex/sessions/2026/11/01/rollout-x1.jsonl");
    write(&rollout, lines(&codex_session(&web, &commands)));
    let history = home.join(".local/share/atuin/history.db");
    atuin(
        &history,
        &[
            (10, &web, "cargo build", 0),
            (9, &web, "cargo clippy", 101),
            (8, &web, "sleep 9", -1),
            (7, Path::new("/"), "make test", 0),
        ],
    );
    let theirs = [".claude", ".codex", ".local/share/atuin"];
    let before = theirs.map(|folder| files_of(&home.join(folder)));

    let expected = [
        "atuin 3 web/build=cargo build",
        "claude 7 api/build=pnpm run build api/test=pnpm test",
        "codex 2 web/test=cargo test",
    ];
    assert_eq!(came_of(&learn(&desk, &api, &["--dry-run"])), expected);
    assert_eq!(desk.status(&web, "ls"), 1);

    let learned = learn(&desk, &api, &[]);
    assert_eq!(came_of(&learned), expected);
    let outside = "what happened outside the repositories that are here";
    for (source, number) in [(0, 1), (1, 1), (2, 0)] {
        let left = &learned["sources"][source]["left_alone"][outside];
        assert_eq!(left.as_u64().unwrap_or_default(), number, "{learned}");
    }
    let test = &learned["sources"][1]["learned"][1]["hint"];
    let when: chrono::DateTime<Utc> = test["last_used_at"].as_str().unwrap().parse().unwrap();
    assert!((ago(90) - when).abs() < TimeDelta::minutes(5), "{test}");
    assert_eq!(desk.types(&web, "get web build --raw"), "cargo build\n");
    let told = desk.starts(&api, "new");
    told.says("[learned, worked 1×] api/test: `pnpm test`");

    let expected = ["atuin 0", "claude 0", "codex 0"];
    assert_eq!(came_of(&learn(&desk, &api, &[])), expected);
    // Kept, as what hooks see work is.
    desk.reboot();
    assert_eq!(desk.types(&web, "get web test --raw"), "cargo test\n");

    let after = theirs.map(|folder| files_of(&home.join(folder)));
    assert!(before == after, "the files of others are as they were");
    assert!(!desk.holds(SECRET));
}

#[test]
fn unknown_broken_and_hostile_files_are_left_alone_and_said_so() {
    let desk = Desk::bare();
    let api = desk.repository("api", &[]);
    let home = desk.home();
    assert_eq!(desk.status(&api, "learn --from codex"), 1);

    let good = lines(&claude(&api, 9, "make test", None));
    let other = r#"{"version": 9, "events": []}"#;
    let broken = "{\"type\": \"user\", \n\u{0}\u{1b}]0;x\u{7}";
    for (name, text) in [("good", &*good), ("other", other), ("broken", broken)] {
        let projects = home.join(".claude/projects/x");
        write(&projects.join(format!("{name}.jsonl")), text);
    }
    let elsewhere = desk.runtime().join("elsewhere");
    let rollout = lines(&codex(5, "make build"));
    write(&elsewhere.join("sessions/rollout-1.jsonl"), rollout);
    symlink(&elsewhere, home.join(".codex")).unwrap();
    let history = home.join(".local/share/atuin/history.db");
    fs::create_dir_all(history.parent().unwrap()).unwrap();
    let newer = Connection::open(&history).unwrap();
    let sql = "CREATE TABLE history (id TEXT, line TEXT);";
    newer.execute_batch(sql).unwrap();
    newer.close().unwrap();
    let said = desk.types(&api, "learn");
    assert_eq!(
        said,
        "✔ Atuin: read 0 commands and 0 changes in 0 files\n  no new hint\n  left alone: files in an unknown format (1)\n\
         ✔ Claude Code: read 1 command and 0 changes in 1 file\n  learned api/test: make test\n    \
         worked 1× in git:github.com/acme/api\n  left alone: files in an unknown format (2)\n\
         ✔ Codex: read 0 commands and 0 changes in 0 files\n  no new hint\n  left alone: a folder that leads out of your home (1)\n"
    );
    fs::write(&history, "garbage ".repeat(1000)).unwrap();
    let learned = learn(&desk, &api, &["--from", "atuin"]);
    assert_eq!(learned["sources"].as_array().unwrap().len(), 1);
    let left = &learned["sources"][0]["left_alone"];
    assert_eq!(left["files in an unknown format"], 1, "{learned}");
}
