//! What hooks tell is recorded by the real server, and asked for, whatever happens to it.

mod forgetting;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::Receiver;
use std::thread;

use nudge::Via;
use nudge_client::Client;
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::hooks::told;
use crate::kept::Desk;
use crate::process::{PATIENCE, kill, primary, signal, status, until};
use crate::watch::follower::lines_of;

/// A desk whose user has said yes.
fn desk() -> Desk {
    let desk = Desk::bare();
    let config = desk.home().join(".config/nudge-hints/config.toml");
    fs::write(config, "observe = true\n").unwrap();
    desk
}

/// What a method answers to the user, about a repository of `acme`.
fn ask(desk: &Desk, method: &str, repo: &str, params: &Value) -> Result<Value, String> {
    ask_as(&Sender::process(), desk, method, repo, params)
}

fn ask_as(
    sender: &Sender,
    desk: &Desk,
    method: &str,
    repo: &str,
    params: &Value,
) -> Result<Value, String> {
    let mut params = params.clone();
    let root = desk.home().parent().unwrap().join("work").join(repo);
    params["context"] =
        json!({"repo": format!("git@github.com:acme/{repo}.git"), "cwd": root, "root": root});
    let client = Client::unix(&desk.runtime().join("nudge.sock")).unwrap();
    let answer = client.call_from(sender, Method::named(method).unwrap(), &params.to_string());
    let answer = answer.map_err(|fault| json!(fault)["message"].as_str().unwrap().to_owned())?;
    Ok(serde_json::from_str(answer.get()).unwrap())
}

fn found(desk: &Desk, repo: &str, query: &str) -> Vec<String> {
    let answer = ask(
        desk,
        "nudge.search",
        repo,
        &json!({"query": query, "limit": 100}),
    );
    let answer = answer.unwrap();
    let found = answer["observations"].as_array().unwrap().iter();
    let line =
        |it: &Value| format!("{} {}", it["obs_type"], it["content_preview"]).replace('"', "");
    found.map(line).collect()
}

fn database(desk: &Desk) -> std::path::PathBuf {
    desk.runtime().join("history.db")
}

/// A host tells an event.
fn tell(desk: &Desk, cwd: &Path, words: &[&str], event: &Value) {
    let mut hook = desk.command(cwd, words);
    hook.stdin(Stdio::piped());
    let output = told(&mut hook, event.to_string());
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_a_session_did_is_found_in_its_repository_and_after_a_crash() {
    let desk = desk();
    let api = desk.repository("api", &[("src/auth.rs", "fn login() {}")]);
    desk.starts(&api, "s1");
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "fix the <private>secret</private> login"});
    desk.event(&api, "s1", &prompt);
    let failed = json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": "cargo test"}, "error": "Exit code 101\nassertion failed: token expired"});
    desk.event(&api, "s1", &failed);
    let edit = json!({"hook_event_name": "PostToolUse", "tool_name": "Edit", "duration_ms": 3,
        "tool_input": {"file_path": api.join("src/auth.rs"), "new_string": "fn hidden() {}"}});
    desk.event(&api, "s1", &edit);
    let read = json!({"hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": api.join("src/auth.rs")}});
    desk.event(&api, "s1", &read);
    desk.ran(&api, "s1", "cargo test");
    desk.event(
        &api,
        "s1",
        &json!({"hook_event_name": "SessionEnd", "reason": "exit"}),
    );

    kill(primary(&desk.runtime()).unwrap(), Signal::KILL);
    until("the server ends", || primary(&desk.runtime()).is_none());
    desk.run(&api, &["ls"]);

    assert_eq!(found(&desk, "api", "login"), ["user_prompt fix the  login"]);
    assert_eq!(found(&desk, "api", "expired"), ["command_error cargo test"]);
    assert_eq!(
        found(&desk, "api", "auth"),
        ["file_edit src/auth.rs, 13 bytes"]
    );
    let session = json!({"session_id": "s1"});
    let trace = || ask(&desk, "nudge.session_trace", "api", &session).unwrap();
    // What a hook tells is recorded after it was answered.
    until("its end is recorded", || trace()["ended_at"].is_number());
    let trace = trace();
    assert_eq!(trace["prompts"][1]["observation_count"], 3, "{trace}");
    assert_eq!(
        found(&desk, "web", "login OR cargo OR auth"),
        Vec::<String>::new()
    );
    // An agent that is elsewhere finds nothing; of a program nobody knows where it is.
    let query = json!({"query": "login"});
    let agent = Sender::new(Via::Mcp, Some("codex/1".to_owned())).here(true);
    for (sender, count) in [(agent, 0), (Sender::default(), 1)] {
        let found = ask_as(&sender, &desk, "nudge.search", "api", &query).unwrap();
        let found = found["observations"].as_array().unwrap();
        assert_eq!(found.len(), count, "{sender:?}");
    }
    let bytes = fs::read(database(&desk)).unwrap();
    let stored = String::from_utf8_lossy(&bytes);
    for never in ["secret", "hidden"] {
        assert!(!stored.contains(never), "{never}");
    }
}

#[test]
fn each_host_tells_of_files_that_were_changed() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    desk.run(&api, &["ls"]);
    let patch = "*** Begin Patch\n*** Update File: src/codex.rs\n@@\n*** Add File: src/codex2.rs\n*** End Patch";
    let below = |name: &str| api.join("src").join(name);
    for name in ["gemini", "copilot", "cursor", "opencode", "codex", "codex2"] {
        fs::create_dir_all(api.join("src")).unwrap();
        fs::write(below(&format!("{name}.rs")), "12345").unwrap();
    }
    for (words, event) in [
        (
            &["hook", "codex"][..],
            json!({"hook_event_name": "PostToolUse", "tool_name": "apply_patch", "tool_input": {"command": patch}}),
        ),
        (
            &["hook", "gemini"],
            json!({"hook_event_name": "AfterTool", "tool_name": "write_file", "tool_input": {"file_path": below("gemini.rs")}}),
        ),
        (
            &["hook", "gemini"],
            json!({"hook_event_name": "AfterTool", "tool_name": "replace", "tool_input": {"file_path": "src/no.rs"}, "tool_response": {"error": "no match"}}),
        ),
        (
            &["hook", "copilot", "postToolUse"],
            json!({"toolName": "edit", "toolArgs": {"path": below("copilot.rs")}, "toolResult": {"resultType": "success"}}),
        ),
        (
            &["hook", "copilot", "postToolUse"],
            json!({"toolName": "edit", "toolArgs": {"path": below("no.rs")}, "toolResult": {"resultType": "failure"}}),
        ),
        (
            &["hook", "cursor"],
            json!({"hook_event_name": "afterFileEdit", "file_path": below("cursor.rs"), "edits": [], "workspace_roots": [api]}),
        ),
        (
            &["hook", "opencode"],
            json!({"event": "after_command", "tool": "edit", "file": below("opencode.rs")}),
        ),
        (
            &["hook", "claude"],
            json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Edit", "tool_input": {"file_path": below("no.rs")}, "error": "no match"}),
        ),
    ] {
        let mut event = event;
        event["cwd"] = json!(api);
        tell(&desk, &api, words, &event);
    }
    let mut changed = found(&desk, "api", "src");
    changed.sort();
    assert_eq!(
        changed,
        [
            "file_edit src/codex.rs, 5 bytes",
            "file_edit src/copilot.rs, 5 bytes",
            "file_edit src/cursor.rs, 5 bytes",
            "file_edit src/opencode.rs, 5 bytes",
            "file_write src/codex2.rs, 5 bytes",
            "file_write src/gemini.rs, 5 bytes",
        ]
    );
}

#[test]
fn ten_hooks_at_once_lose_nothing_and_neither_does_a_crash_but_the_last() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    desk.run(&api, &["ls"]);
    thread::scope(|scope| {
        for writer in 0..10 {
            let (desk, api) = (&desk, &api);
            scope.spawn(move || {
                for number in 0..3 {
                    desk.ran(
                        api,
                        &format!("s{writer}"),
                        &format!("make w{writer}n{number}"),
                    );
                }
            });
        }
    });
    assert_eq!(found(&desk, "api", "make").len(), 30);
    for number in 0..20 {
        desk.ran(&api, "s1", &format!("ninja n{number}"));
    }
    kill(primary(&desk.runtime()).unwrap(), Signal::KILL);
    until("the server ends", || primary(&desk.runtime()).is_none());
    desk.run(&api, &["ls"]);
    assert!(found(&desk, "api", "ninja").len() >= 19);
    assert_eq!(found(&desk, "api", "make").len(), 30);
}

#[test]
fn nothing_is_recorded_unless_the_user_said_so() {
    let desk = Desk::bare();
    let api = desk.repository("api", &[]);
    let observe = |words: &[&str]| {
        let output = desk.run(&api, words);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    // A variable of whoever starts the server is not the user's word.
    let mut start = desk.command(&api, &["ls"]);
    start.env("NUDGE_OBSERVE", "on").output().unwrap();
    desk.ran(&api, "s1", "make");
    let refused = ask(&desk, "nudge.search", "api", &json!({"query": "make"})).unwrap_err();
    assert!(refused.contains("`nudge observe on`"), "{refused}");
    let (code, said) = observe(&["observe"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("`nudge observe on`"), "{said}");
    // It writes the file and restarts the server.
    let (code, said) = observe(&["observe", "on"]);
    assert!(
        code == Some(0) && said.contains("✔ observe = true in `"),
        "{said}"
    );
    desk.ran(&api, "s1", "make");
    assert_eq!(found(&desk, "api", "make"), ["command make"]);
    let (code, said) = observe(&["observe"]);
    assert_eq!(code, Some(0));
    assert!(
        said.contains("git:github.com/acme/api is recorded") && said.contains("1 observation here"),
        "{said}"
    );
    assert_eq!(observe(&["observe", "off"]).0, Some(0));
    assert_eq!(observe(&["observe"]).0, Some(1));
    desk.ran(&api, "s1", "ninja");
    assert_eq!(found(&desk, "api", "ninja"), Vec::<String>::new());
    assert_eq!(observe(&["observe", "on"]).0, Some(0));
    for (method, params) in [
        ("nudge.observe", json!({"on": false})),
        ("nudge.purge", json!({"here": true})),
    ] {
        let client = Client::unix(&desk.runtime().join("nudge.sock")).unwrap();
        let agent = Sender::new(Via::Mcp, Some("codex".to_owned()));
        let refused = client.call_from(&agent, Method::named(method).unwrap(), &params.to_string());
        let refused = json!(refused.unwrap_err())["message"].to_string();
        assert!(refused.contains("only the user"), "{refused}");
    }
}

#[test]
fn a_damaged_file_is_told_once_and_hints_go_on() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    desk.run(&api, &["ls"]);
    fs::write(database(&desk), "garbage ".repeat(1000)).unwrap();
    desk.ran(&api, "s1", "make");
    let said = |words: &[&str]| {
        let output = desk.run(&api, words);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    until("it is told", || {
        said(&["status"]).contains("`history.db` is damaged; it was moved to")
    });
    assert_eq!(found(&desk, "api", "make"), ["command make"]);
    let told = [
        said(&["set", "api", "build", "make"]),
        said(&["get", "api", "build"]),
    ];
    assert!(!told.concat().contains("history.db"), "{told:?}");
    assert!(told[1].contains("make"), "{told:?}");
}

#[test]
fn a_log_is_followed_until_nobody_wants_more() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    desk.run(&api, &["ls"]);
    for command in ["make one", "make two"] {
        desk.ran(&api, "s1", command);
    }
    let follow = |flags: &[&str]| {
        let mut follow = desk.command(&api, &["log", "--follow"]);
        follow.args(flags).stdout(Stdio::piped());
        let mut child = follow.spawn().unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        (child, lines)
    };
    let (child, lines) = follow(&["--limit", "1"]);
    assert!(line(&lines).ends_with("make two"));
    desk.ran(&api, "s2", "make three");
    let third = line(&lines);
    assert!(
        third.contains("  s2  ") && third.ends_with("make three"),
        "{third}"
    );
    signal(&child, Signal::INT);
    assert_eq!(status(child).code(), Some(0));

    let (child, lines) = follow(&["--json", "--session", "s1"]);
    let first: Value = serde_json::from_str(&line(&lines)).unwrap();
    assert_eq!(first["content_preview"], "make one");
    assert!(line(&lines).contains("make two"));
    desk.run(&api, &["restart"]);
    desk.ran(&api, "s2", "make four");
    desk.ran(&api, "s1", "make five");
    assert!(line(&lines).contains("make five"));
    // It begins no session of its own.
    desk.run(&api, &["stop", "--yes"]);
    assert_eq!(status(child).code(), Some(0));
    assert_eq!(primary(&desk.runtime()), None);
}

fn line(lines: &Receiver<String>) -> String {
    lines.recv_timeout(PATIENCE).unwrap()
}
