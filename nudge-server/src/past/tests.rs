//! What transcripts tell, shape by shape. They are made up here, in the forms of the hosts.

mod hosts;

use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

use super::claude::Claude;
use super::codex::Codex;
use super::*;

/// What the lines of a transcript tell, each in one line.
fn told<T: Transcript>(lines: &[Value]) -> Vec<String> {
    let mut transcript = T::default();
    let mut told = Vec::new();
    for line in lines {
        transcript.read(line, &mut told);
    }
    transcript.finish(&mut told);
    let line = |told: &PastEvent| {
        let event = &told.event;
        let what = event.command.as_ref().or(event.file.as_ref()).unwrap();
        let facts = event.context.facts();
        let ending = (event.worked(), event.exit_code);
        let (cwd, branch) = (facts.cwd.as_deref(), facts.branch.as_deref());
        let (cwd, branch) = (cwd.unwrap_or_default(), branch.unwrap_or("-"));
        let session = event.session.as_deref().unwrap_or_default();
        let output = event.output.as_deref().unwrap_or_default();
        format!("{session} {cwd} {branch} {what} {ending:?} {output}")
            .trim_end()
            .to_owned()
    };
    told.iter().map(line).collect()
}

fn claude(kind: &str, content: &Value, result: &Value) -> Value {
    json!({"type": kind, "sessionId": "s1", "cwd": "/work/api", "gitBranch": "main",
        "timestamp": "2026-10-01T10:00:00.500Z", "toolUseResult": result,
        "message": {"role": kind, "content": content}})
}

fn used(name: &str, input: &Value) -> Value {
    let block = json!({"type": "tool_use", "id": "t1", "name": name, "input": input});
    claude(
        "assistant",
        &json!([{"type": "text", "text": "x"}, block]),
        &Value::Null,
    )
}

fn answered(is_error: bool, content: &Value, result: &Value) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": "t1", "is_error": is_error, "content": content});
    claude("user", &json!([block]), result)
}

#[test]
fn claude_code_tells_commands_and_changes_that_ended() {
    let make = used("Bash", &json!({"command": "make"}));
    let ran = json!({"stdout": "built", "stderr": "", "interrupted": false});
    let text = json!([{"type": "text", "text": "Exit code 2\nno rule"}]);
    let cases: &[(Value, Value, &[&str])] = &[
        (
            make.clone(),
            answered(false, &json!("built"), &ran),
            &["s1 /work/api main make (Some(true), None)"],
        ),
        (
            make.clone(),
            answered(
                true,
                &json!("Exit code 1\nboom"),
                &json!("Error: Exit code 1"),
            ),
            &["s1 /work/api main make (Some(false), Some(1)) Exit code 1\nboom"],
        ),
        (
            make.clone(),
            answered(true, &text, &Value::Null),
            &["s1 /work/api main make (Some(false), Some(2)) Exit code 2\nno rule"],
        ),
        (
            make.clone(),
            answered(
                true,
                &json!("The user doesn't want to proceed"),
                &Value::Null,
            ),
            &[],
        ),
        (
            make.clone(),
            answered(false, &json!(""), &json!({"interrupted": true})),
            &["s1 /work/api main make (None, None)"],
        ),
        (
            make.clone(),
            answered(false, &json!("running"), &json!({"backgroundTaskId": "b1"})),
            &["s1 /work/api main make (None, None)"],
        ),
        (
            make.clone(),
            claude("user", &json!("never mind"), &Value::Null),
            &[],
        ),
        (
            used(
                "Edit",
                &json!({"file_path": "/work/api/a.rs", "new_string": "x"}),
            ),
            answered(
                false,
                &json!("done"),
                &json!({"filePath": "/work/api/a.rs"}),
            ),
            &["s1 /work/api main /work/api/a.rs (None, None)"],
        ),
        (
            used(
                "Write",
                &json!({"file_path": "/work/api/a.rs", "content": "x"}),
            ),
            answered(true, &json!("File has not been read yet"), &Value::Null),
            &[],
        ),
        (
            used("Read", &json!({"file_path": "/work/api/a.rs"})),
            answered(false, &json!("x"), &Value::Null),
            &[],
        ),
        // Shapes that nobody has seen yet.
        (
            used("Bash", &json!({"cmd": "make"})),
            answered(false, &json!("x"), &ran),
            &[],
        ),
        (
            used("Bash", &json!("make")),
            answered(false, &json!({"a": 1}), &json!([1])),
            &[],
        ),
        (
            used("Bash", &json!({"command": "x".repeat(9000)})),
            answered(false, &json!("x"), &ran),
            &[],
        ),
    ];
    for (one, other, expected) in cases {
        let lines = [one.clone(), other.clone()];
        assert_eq!(told::<Claude>(&lines), *expected, "{one}\n{other}");
    }
    let mut late = answered(false, &json!("x"), &ran);
    late["timestamp"] = json!("yesterday");
    assert_eq!(told::<Claude>(&[make, late]), Vec::<String>::new());
}

fn item(payload: &Value) -> Value {
    json!({"type": "response_item", "timestamp": "2026-10-01T10:00:00Z", "payload": payload})
}

fn call(name: &str, arguments: &Value) -> Value {
    let arguments = arguments.to_string();
    item(&json!({"type": "function_call", "name": name, "call_id": "c1", "arguments": arguments}))
}

fn returned(output: &Value) -> Value {
    item(&json!({"type": "function_call_output", "call_id": "c1", "output": output}))
}

fn ended(id: &str, status: &str, code: i64) -> Value {
    let item = json!({"type": "CommandExecution", "id": id, "status": status, "exit_code": code,
        "command": ["/bin/zsh", "-lc", "make all"], "cwd": "file:///work/web", "aggregated_output": "x"});
    json!({"type": "event_msg", "timestamp": "2026-10-01T10:00:00Z",
        "payload": {"type": "item_completed", "item": item}})
}

#[test]
fn codex_tells_how_its_commands_ended_in_several_ways() {
    let exec = call("exec_command", &json!({"cmd": "make", "workdir": "sub"}));
    let shell = call("shell", &json!({"command": ["bash", "-lc", "make"]}));
    let patch = "*** Begin Patch\n*** Update File: a.rs\n*** Add File: b.rs\n*** End Patch";
    let patch = item(
        &json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "c1", "input": patch}),
    );
    let patched =
        item(&json!({"type": "custom_tool_call_output", "call_id": "c1", "output": "Success"}));
    let head = "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nboom";
    let beside = json!({"output": "ok", "metadata": {"exit_code": 0}}).to_string();
    let worked = "s1 /work/api dev make (Some(true), Some(0))";
    let cases: &[(Vec<Value>, &[&str])] = &[
        (
            vec![exec.clone(), returned(&json!(head))],
            &[&format!(
                "s1 /work/api/sub dev make (Some(false), Some(2)) {head}"
            )],
        ),
        (vec![shell.clone(), returned(&json!(beside))], &[worked]),
        (
            vec![
                call("shell_command", &json!({"command": "make"})),
                returned(&json!("Exit code: 0\nWall time: 1 seconds\nOutput:\nx")),
            ],
            &[worked],
        ),
        // Each call is told once, in whichever order its parts come.
        (
            vec![
                shell.clone(),
                ended("c1", "completed", 0),
                returned(&json!("x")),
            ],
            &[worked],
        ),
        (
            vec![
                shell.clone(),
                returned(&json!("x")),
                ended("c1", "completed", 0),
            ],
            &[worked],
        ),
        (
            vec![
                shell.clone(),
                returned(&json!(beside)),
                ended("c1", "completed", 0),
            ],
            &[worked],
        ),
        (
            vec![shell.clone(), returned(&json!("x"))],
            &["s1 /work/api dev make (None, None)"],
        ),
        (vec![shell.clone()], &[]),
        (
            vec![ended("exec-1", "failed", 2)],
            &["s1 /work/web dev make all (Some(false), Some(2)) x"],
        ),
        (vec![ended("exec-1", "declined", 1)], &[]),
        (
            vec![patch, patched],
            &[
                "s1 /work/api dev a.rs (None, None)",
                "s1 /work/api dev b.rs (None, None)",
            ],
        ),
        // What a command printed is not how it ended.
        (
            vec![shell.clone(), returned(&json!("Output:\nExit code: 0"))],
            &["s1 /work/api dev make (None, None)"],
        ),
        // Shapes that nobody has seen yet.
        (
            vec![
                call("shell", &json!({"command": ["a", "b"]})),
                returned(&json!("x")),
            ],
            &[],
        ),
        (vec![call("shell", &json!([])), returned(&json!(7))], &[]),
        (
            vec![
                call("view_image", &json!({"path": "a"})),
                returned(&json!("x")),
            ],
            &[],
        ),
    ];
    let meta = json!({"type": "session_meta", "timestamp": "2026-10-01T10:00:00Z",
        "payload": {"id": "s1", "cwd": "/work/api", "git": {"branch": "dev"}}});
    for (lines, expected) in cases {
        let lines: Vec<Value> = [meta.clone()].into_iter().chain(lines.clone()).collect();
        assert_eq!(told::<Codex>(&lines), *expected, "{lines:?}");
    }
}

#[test]
fn files_are_read_within_bounds_and_what_is_no_transcript_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    let good = [
        used("Bash", &json!({"command": "make"})).to_string(),
        answered(false, &json!("x"), &Value::Null).to_string(),
    ];
    let good = good.join("\n");
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(5 << 20));
    let deep = "[".repeat(100_000);
    write(
        "good.jsonl",
        format!("\n{long}\n{deep}\nnot JSON\n{good}").as_bytes(),
    );
    write(
        "other.jsonl",
        b"{\"type\": \"user\"}\n[1, 2]\n\"text\"\nnull\n",
    );
    write("bytes.jsonl", b"\xff\x00\xfe");
    write("empty.jsonl", b"");
    write("good.txt", good.as_bytes());
    symlink(
        folder.path().join("good.txt"),
        folder.path().join("link.jsonl"),
    )
    .unwrap();
    symlink("/", folder.path().join("root")).unwrap();
    let mut reading = Reading::default();
    reading.read_all::<Claude>(folder.path(), "", &mut Budget::default(), &mut || ());
    assert_eq!((reading.files, reading.told.len()), (1, 1));
    let left = reading.left_alone.iter();
    let left: Vec<(&str, usize)> = left.map(|(what, count)| (&**what, *count)).collect();
    assert_eq!(
        left,
        [
            ("files in an unknown format", 3),
            ("lines that are not JSON or are too long", 3),
            ("links and devices", 1)
        ]
    );
}
