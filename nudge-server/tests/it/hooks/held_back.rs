//! `before = "stop"`: each host is told in its own words to hold a command back.

use serde_json::{Value, json};

use super::streams::{Stage, words};

/// The event before a command of each host, in a session of its own.
fn before(host: &str, command: &str) -> Value {
    let cwd = "{project}";
    let tool = |name: &str, event: &str| {
        json!({"hook_event_name": event, "session_id": host, "cwd": cwd, "tool_name": name,
            "tool_input": {"command": command}})
    };
    let (words, stdin) = match host {
        "gemini" => ("gemini", tool("run_shell_command", "BeforeTool")),
        "copilot" => (
            "copilot preToolUse",
            json!({"sessionId": host, "cwd": cwd, "toolName": "bash",
                "toolArgs": json!({"command": command}).to_string()}),
        ),
        "opencode" => (
            "opencode",
            json!({"event": "before_command", "session": host, "cwd": cwd, "tool": "bash",
                "command": command}),
        ),
        host => (host, tool("Bash", "PreToolUse")),
    };
    json!({"hook": words, "stdin": stdin})
}

/// The events of a session in which a command could not run, and another one did.
fn lesson(session: &str) -> [Value; 2] {
    let event = |name: &str, command: &str, more: Value| {
        let mut stdin = json!({"hook_event_name": name, "session_id": session, "cwd": "{project}",
            "tool_name": "Bash", "tool_input": {"command": command}});
        stdin
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({"hook": "claude", "stdin": stdin})
    };
    let lacks = json!({"error": "Exit code 127\nsh: rtk: command not found"});
    let done = json!({"tool_response": {"stdout": "", "stderr": "", "interrupted": false}});
    [
        event("PostToolUseFailure", "rtk make all", lacks),
        event("PostToolUse", "make all", done),
    ]
}

const STOP: &[(&str, &str)] = &[("NUDGE_BEFORE", "stop")];

#[test]
fn each_host_holds_a_command_back_once_and_only_if_the_user_wants_that() {
    let stage = Stage::new();
    for line in lesson("one").iter().chain(&lesson("two")) {
        stage.play(line);
    }
    let known = "`rtk make all` could not run in 2 sessions here; `make all` worked";
    let begins = format!("Nudge held this back once: {known}. It last failed ");
    for (host, field) in [
        ("claude", "/hookSpecificOutput/permissionDecisionReason"),
        ("codex", "/hookSpecificOutput/permissionDecisionReason"),
        ("gemini", "/reason"),
        ("copilot", "/permissionDecisionReason"),
        ("opencode", "/deny"),
    ] {
        let line = before(host, "rtk make all");
        let printed: Value = serde_json::from_str(&stage.play_with(&line, STOP)).unwrap();
        let why = printed.pointer(field).and_then(Value::as_str).unwrap();
        let is_whole = why.ends_with(" ago; run it again to run it anyway");
        assert!(why.starts_with(&begins) && is_whole, "{host}: {why}");
        let deny = json!({"permissionDecision": "deny", "permissionDecisionReason": why});
        let refused = match host {
            "gemini" => json!({"decision": "deny", "reason": why, "systemMessage": why}),
            "copilot" => deny,
            "opencode" => json!({"deny": why}),
            _ => {
                let mut deny = deny;
                deny["hookEventName"] = json!("PreToolUse");
                json!({"hookSpecificOutput": deny})
            }
        };
        assert_eq!(printed, refused, "{host}");
        assert_eq!(stage.play_with(&line, STOP), "", "{host}, once more");
    }
    let usual = stage.play(&before("claude", "cd . && rtk make all"));
    assert_eq!(usual, "", "it was said in this session");
    let mut other = before("claude", "rtk make all");
    other["stdin"]["session_id"] = json!("another");
    assert_eq!(words(&stage.play(&other)), format!("Nudge: {known}"));
    let mut other = before("gemini", "rtk make all");
    other["stdin"]["session_id"] = json!("another");
    assert_eq!(stage.play(&other), "", "it drops what is said then");
}
