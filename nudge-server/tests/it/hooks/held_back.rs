//! `before = "stop"`: each host is told in its own words to hold a command back.

use std::fs;
use std::path::Path;

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
        let more = more.as_object().unwrap().clone();
        stdin.as_object_mut().unwrap().extend(more);
        json!({"hook": "claude", "stdin": stdin})
    };
    let lacks = json!({"error": "Exit code 127\nsh: rtk: command not found"});
    let done = json!({"tool_response": {"stdout": "", "stderr": "", "interrupted": false}});
    [
        event("PostToolUseFailure", "rtk make all", lacks),
        event("PostToolUse", "make all", done),
    ]
}

/// A stage on which that was so in two sessions.
fn learned() -> Stage {
    let stage = Stage::new();
    for line in lesson("one").iter().chain(&lesson("two")) {
        stage.play(line);
    }
    stage
}

const STOP: &[(&str, &str)] = &[("NUDGE_BEFORE", "stop")];

#[test]
fn each_host_holds_a_command_back_once_and_only_if_the_user_wants_that() {
    let stage = learned();
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

#[test]
fn nothing_is_said_before_a_command_where_the_user_wants_that() {
    let stage = learned();
    let line = before("claude", "rtk make all");
    assert_eq!(stage.play_with(&line, &[("NUDGE_BEFORE", "off")]), "");
    assert!(stage.play(&line).contains("could not run in 2 sessions"));
}

#[test]
fn of_calls_at_a_time_one_is_held_back_and_a_subagent_counts_as_its_parent() {
    let stage = learned();
    let line = before("claude", "rtk make all");
    let told: Vec<String> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| stage.play_with(&line, STOP)))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let held = told.iter().filter(|printed| printed.contains("deny"));
    assert_eq!(held.count(), 1, "{told:?}");
    let mut subagent = line.clone();
    subagent["stdin"]["agent_id"] = json!("a1");
    subagent["stdin"]["agent_type"] = json!("Explore");
    assert_eq!(stage.play_with(&subagent, STOP), "");
    // And the other way round, in a session in which the subagent comes first.
    subagent["stdin"]["session_id"] = json!("other");
    assert!(stage.play_with(&subagent, STOP).contains("deny"));
    let mut parent = line;
    parent["stdin"]["session_id"] = json!("other");
    assert_eq!(stage.play_with(&parent, STOP), "");
}

/// A linked worktree of a repository, with a Makefile of its own.
fn worktree(project: &Path, at: &Path, targets: &str) {
    let git = project.join(".git/worktrees").join(at.file_name().unwrap());
    fs::create_dir_all(&git).unwrap();
    fs::create_dir(at).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/next\n").unwrap();
    fs::write(git.join("commondir"), "../..\n").unwrap();
    fs::write(git.join("gitdir"), format!("{}/.git\n", at.display())).unwrap();
    fs::write(at.join(".git"), format!("gitdir: {}\n", git.display())).unwrap();
    fs::write(at.join("Makefile"), targets).unwrap();
}

#[test]
fn a_worktree_is_held_back_by_what_its_own_files_declare() {
    let stage = Stage::new();
    let project = stage.project();
    fs::write(project.join("Makefile"), "test:\n\ttrue\n").unwrap();
    for line in lesson("one").iter().chain(&lesson("two")) {
        let mut line = line.to_string();
        for (old, new) in [
            ("Exit code 127", "Exit code 2"),
            (
                "sh: rtk: command not found",
                "make: *** No rule to make target 'tests'.  Stop.",
            ),
            ("rtk make all", "make tests"),
            ("make all", "make test"),
        ] {
            line = line.replace(old, new);
        }
        stage.play(&serde_json::from_str(&line).unwrap());
    }
    for (name, targets, is_held) in [
        ("same", "test:\n\ttrue\n", true),
        ("newer", "test:\n\ttrue\ntests:\n\ttrue\n", false),
    ] {
        let at = project.with_file_name(name);
        worktree(&project, &at, targets);
        for command in ["make tests", "cd . && make tests"] {
            let mut line = before("claude", command);
            line["stdin"]["session_id"] = json!(format!("{name} {command}"));
            line["stdin"]["cwd"] = json!(at);
            let printed = stage.play_with(&line, STOP);
            let denied = printed.contains("deny");
            assert_eq!(denied, is_held, "{name}, {command}: {printed}");
        }
    }
}
