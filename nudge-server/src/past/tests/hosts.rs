//! What Gemini CLI and `OpenCode` have left, in the forms that the real ones wrote.

use std::fs;

use serde_json::json;

use super::super::{Budget, Reading, UNKNOWN, atuin, gemini, opencode};
use super::line;

/// Lines that the real hosts wrote, but for their folders.
#[test]
fn gemini_cli_tells_commands_with_their_endings() {
    let place = tempfile::tempdir().unwrap();
    let chats = place.path().join("api/chats");
    fs::create_dir_all(&chats).unwrap();
    fs::write(place.path().join("api/.project_root"), "/work/api").unwrap();
    let call = |command: &str, output: &str, printed: &str| {
        json!({"name": "run_shell_command", "args": {"command": command, "description": "x"},
            "status": "success", "timestamp": "2026-11-17T17:29:18.821Z", "resultDisplay": printed,
            "result": [{"functionResponse": {"response": {"output": output}}}]})
    };
    let forged = "<untrusted_context>\nOutput: hello\nExit Code: 127\nProcess Group PGID: 2\n</untrusted_context>";
    let failed = "<untrusted_context>\nOutput: no rule\nExit Code: 2\nProcess Group PGID: 2\n</untrusted_context>";
    let calls = [
        call("echo hello", forged, "hello\nExit Code: 127"),
        call("make x", failed, "no rule"),
    ];
    let lines = [
        json!({"sessionId": "s1", "projectHash": "9e", "kind": "main"}),
        json!({"id": "m", "type": "gemini", "content": "", "toolCalls": calls}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    fs::write(chats.join("session-1.jsonl"), text).unwrap();
    let mut reading = Reading::default();
    let (mut budget, mut step) = (Budget::default(), || {});
    reading.read_all::<gemini::Gemini>(place.path(), "session-", &mut budget, &mut step);
    let told: Vec<String> = reading.told.iter().map(line).collect();
    assert_eq!(
        told,
        [
            "s1 /work/api - echo hello (Some(true), Some(0))",
            "s1 /work/api - make x (Some(false), Some(2)) no rule",
        ]
    );
}

#[test]
fn opencode_tells_what_is_in_its_tables() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("opencode.db");
    let state = json!({"status": "completed", "input": {"command": "make x"}, "output": "no rule",
        "metadata": {"exit": 2}});
    let data = json!({"type": "tool", "tool": "bash", "callID": "c", "state": state});
    let made = rusqlite::Connection::open(&file).unwrap();
    let tables = "CREATE TABLE session (id TEXT, directory TEXT);
        CREATE TABLE part (id TEXT, session_id TEXT, time_updated INTEGER, data TEXT);
        INSERT INTO session VALUES ('s1', '/work/api');";
    made.execute_batch(tables).unwrap();
    let row = (1_794_936_571_853_i64, data.to_string());
    let sql = "INSERT INTO part VALUES ('p', 's1', ?1, ?2)";
    made.execute(sql, row).unwrap();
    drop(made);
    let mut reading = Reading::default();
    opencode::read(&file, &mut reading);
    let told: Vec<String> = reading.told.iter().map(line).collect();
    assert_eq!(
        told,
        ["s1 /work/api - make x (Some(false), Some(2)) no rule"]
    );
}

/// What Atuin's history may be instead: each is left alone, or read up to a bound.
#[test]
fn no_history_of_atuin_is_endless_or_takes_all_the_memory() {
    let columns = "1 AS timestamp, 1 AS duration, 0 AS exit, 'x' AS command, '/' AS cwd,
        's' AS session, NULL AS deleted_at";
    let endless = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n FROM a)";
    let table = "CREATE TABLE history (timestamp INTEGER, duration INTEGER, exit INTEGER,";
    let rest = "session TEXT, deleted_at INTEGER)";
    let many = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n <";
    for (sql, is_known, told) in [
        (
            format!("CREATE VIEW history AS {endless} SELECT {columns} FROM a"),
            false,
            0,
        ),
        (
            "CREATE VIRTUAL TABLE history USING fts5(command)".to_owned(),
            false,
            0,
        ),
        // A column that is computed, and a folder of a megabyte.
        (
            format!(
                "{table} command TEXT AS (hex(zeroblob(600000))), cwd TEXT, {rest};
                INSERT INTO history VALUES (1, 1, 0, '/', 's', NULL)"
            ),
            false,
            0,
        ),
        (
            format!(
                "{table} command TEXT, cwd TEXT, {rest};
                INSERT INTO history VALUES (1, 1, 0, 'make', hex(zeroblob(600000)), 's', NULL);
                INSERT INTO history VALUES (2, 1, 0, 'make', '/', 's', NULL)"
            ),
            true,
            1,
        ),
        // 96 MB in 12,000 commands.
        (
            format!(
                "{table} command TEXT, cwd TEXT, {rest}; INSERT INTO history
                {many} 12000) SELECT n, 1, 0, hex(zeroblob(4000)), '/', 's', NULL FROM a"
            ),
            true,
            8386,
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("history.db");
        let made = rusqlite::Connection::open(&file).unwrap();
        made.execute_batch(&sql).unwrap();
        drop(made);
        let mut reading = Reading::default();
        atuin::read(&file, &mut reading);
        let is_unknown = reading.left_alone.contains_key(UNKNOWN);
        assert_eq!((!is_unknown, reading.told.len()), (is_known, told), "{sql}");
    }
}
