//! What hooks tell is recorded by the real server, and asked for, whatever happens to it.

mod forgetting;

use std::fs;
use std::process::Stdio;
use std::sync::mpsc::Receiver;
use std::thread;

use nudge::Via;
use nudge_client::Client;
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::checkout::write;
use crate::kept::Desk;
use crate::process::{PATIENCE, primary, signal, status, until};
use crate::says::Says;
use crate::served::Served;
use crate::watch::follower::lines_of;

/// A desk whose user has said yes.
fn desk() -> Desk {
    Desk::with_config("observe = true\n")
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
    let query = json!({"query": query, "limit": 100});
    let answer = ask(desk, "nudge.search", repo, &query).unwrap();
    let found = answer["observations"].as_array().unwrap().iter();
    let line =
        |it: &Value| format!("{} {}", it["obs_type"], it["content_preview"]).replace('"', "");
    found.map(line).collect()
}

#[test]
fn events_are_recorded_in_the_order_in_which_they_came() {
    let served = Served::new();
    served.primary.observe_in(served.folder());
    let here = json!({"repo": "git@github.com:acme/api.git"});
    let hook = Sender::new(Via::Hook, Some("claude".to_owned()));
    // Nobody waits for an answer before the next one comes, as a hook that gives up does not.
    let step = |number: usize| {
        let event = json!({"event": "after_command", "host": "claude", "session": "s1",
            "command": format!("make step-{number}"), "exit_code": 0, "context": here});
        let mut client = served.unix();
        client.say(served.call_as(&hook, "nudge.on_event", &event));
        client
    };
    let clients: Vec<_> = (0..50).map(step).collect();
    for mut client in clients {
        assert_eq!(client.hear().unwrap().status(), 200);
    }
    let log = json!({"limit": 50, "context": here});
    let log = served.unix().ask(served.call("nudge.log", &log)).json();
    let log = log["result"]["observations"].as_array().unwrap().iter();
    let commands: Vec<_> = log.rev().map(|it| it["content_preview"].clone()).collect();
    let came: Vec<_> = (0..50)
        .map(|number| json!(format!("make step-{number}")))
        .collect();
    assert_eq!(commands, came);
}

#[test]
fn what_a_session_did_is_found_in_its_repository_and_after_a_crash() {
    let desk = desk();
    let api = desk.repository("api", &[("src/auth.rs", "fn login() {}")]);
    desk.starts(&api, "s1");
    let event = |event: Value| desk.event(&api, "s1", &event);
    let prompt = "fix the <private>secret</private> login";
    event(json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}));
    let error = "Exit code 101\nassertion failed: token expired";
    desk.failed(&api, "s1", "cargo test", error);
    let file = api.join("src/auth.rs");
    event(
        json!({"hook_event_name": "PostToolUse", "tool_name": "Edit", "duration_ms": 3,
        "tool_input": {"file_path": file, "new_string": "fn hidden() {}"}}),
    );
    event(
        json!({"hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": file}}),
    );
    desk.ran(&api, "s1", "cargo test");
    event(json!({"hook_event_name": "SessionEnd", "reason": "exit"}));
    desk.crash();
    desk.run(&api, &["ls"]);

    for (query, line) in [
        ("login", "user_prompt fix the  login"),
        ("expired", "command_error cargo test"),
        ("auth", "file_edit src/auth.rs, 13 bytes"),
    ] {
        assert_eq!(found(&desk, "api", query), [line]);
    }
    let session = json!({"session_id": "s1"});
    let trace = || ask(&desk, "nudge.session_trace", "api", &session).unwrap();
    // What a hook tells is recorded after it was answered.
    until("its end is recorded", || trace()["ended_at"].is_number());
    let trace = trace();
    assert_eq!(trace["prompts"][1]["observation_count"], 3, "{trace}");
    assert!(found(&desk, "web", "login OR cargo OR auth").is_empty());
    // An agent that is elsewhere finds nothing; of a program nobody knows where it is.
    let query = json!({"query": "login"});
    let agent = Sender::new(Via::Mcp, Some("codex/1".to_owned())).here(true);
    for (sender, count) in [(agent, 0), (Sender::default(), 1)] {
        let found = ask_as(&sender, &desk, "nudge.search", "api", &query).unwrap();
        let found = found["observations"].as_array().unwrap();
        assert_eq!(found.len(), count, "{sender:?}");
    }
    let stored = fs::read(desk.runtime().join("history.db")).unwrap();
    let stored = String::from_utf8_lossy(&stored);
    stored.hides("secret").hides("hidden");
}

#[test]
fn each_host_tells_of_files_that_were_changed() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    desk.run(&api, &["ls"]);
    let patch = "*** Begin Patch\n*** Update File: src/codex.rs\n@@\n*** Add File: src/codex2.rs\n*** End Patch";
    let below = |name: &str| api.join("src").join(name);
    for name in ["gemini", "copilot", "cursor", "opencode", "codex", "codex2"] {
        write(&below(&format!("{name}.rs")), "12345");
    }
    let events = json!([
        ["codex", {"hook_event_name": "PostToolUse", "tool_name": "apply_patch", "tool_input": {"command": patch}}],
        ["gemini", {"hook_event_name": "AfterTool", "tool_name": "write_file",
            "tool_input": {"file_path": below("gemini.rs")}, "tool_response": {}}],
        ["gemini", {"hook_event_name": "AfterTool", "tool_name": "replace",
            "tool_input": {"file_path": below("no.rs")}, "tool_response": {"error": "no match"}}],
        ["copilot postToolUse", {"toolName": "edit", "toolArgs": {"path": below("copilot.rs")}, "toolResult": {"resultType": "success"}}],
        ["copilot postToolUse", {"toolName": "edit", "toolArgs": {"path": below("no.rs")}, "toolResult": {"resultType": "failure"}}],
        ["cursor", {"hook_event_name": "afterFileEdit", "file_path": below("cursor.rs"), "edits": [], "workspace_roots": [api]}],
        ["opencode", {"event": "after_command", "tool": "edit", "file": below("opencode.rs")}],
        ["claude", {"hook_event_name": "PostToolUseFailure", "tool_name": "Edit",
            "tool_input": {"file_path": below("no.rs")}, "error": "no match"}],
    ]);
    for told in events.as_array().unwrap() {
        let (host, mut event) = (told[0].as_str().unwrap(), told[1].clone());
        event["cwd"] = json!(api);
        let mut hook = desk.command(&api, &["hook"]);
        hook.args(host.split(' ')).stdin(Stdio::piped());
        let output = crate::hooks::told(&mut hook, event.to_string());
        assert!(output.status.success(), "{host}: {output:?}");
    }
    let mut changed = found(&desk, "api", "src");
    changed.sort();
    let edited = ["codex", "copilot", "cursor", "opencode"];
    let edited = edited.map(|name| format!("file_edit src/{name}.rs, 5 bytes"));
    let written = ["codex2", "gemini"].map(|name| format!("file_write src/{name}.rs, 5 bytes"));
    assert_eq!(changed, [&edited[..], &written].concat());
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
                let session = format!("s{writer}");
                for number in 0..3 {
                    desk.ran(api, &session, &format!("make w{writer}n{number}"));
                }
            });
        }
    });
    assert_eq!(found(&desk, "api", "make").len(), 30);
    for number in 0..20 {
        desk.ran(&api, "s1", &format!("ninja n{number}"));
    }
    desk.crash();
    desk.run(&api, &["ls"]);
    assert!(found(&desk, "api", "ninja").len() >= 19);
    assert_eq!(found(&desk, "api", "make").len(), 30);
}

#[test]
fn nothing_is_recorded_unless_the_user_said_so() {
    let desk = Desk::bare();
    let api = desk.repository("api", &[]);
    let observe = |word: &str| desk.ends(&api, &format!("observe {word}"));
    // A variable of whoever starts the server is not the user's word.
    let mut start = desk.command(&api, &["ls"]);
    start.env("NUDGE_OBSERVE", "on").output().unwrap();
    desk.ran(&api, "s1", "make");
    let refused = ask(&desk, "nudge.search", "api", &json!({"query": "make"}));
    refused.unwrap_err().says("`nudge observe on`");
    let (status, said) = observe("");
    assert_eq!(status, 1);
    said.says("`nudge observe on`");
    // It writes the file and restarts the server.
    let (status, said) = observe("on");
    assert_eq!(status, 0);
    said.says("✔ observe = true in `");
    desk.ran(&api, "s1", "make");
    assert_eq!(found(&desk, "api", "make"), ["command make"]);
    let (status, said) = observe("");
    assert_eq!(status, 0);
    said.says("git:github.com/acme/api is recorded")
        .says("1 observation here");
    assert_eq!(observe("off").0, 0);
    // The file remembers it, and of this repository alone.
    desk.crash();
    assert_eq!(observe("").0, 1);
    desk.ran(&api, "s1", "ninja");
    desk.ran(&desk.repository("web", &[]), "s1", "ninja web");
    assert!(found(&desk, "api", "ninja").is_empty());
    assert_eq!(found(&desk, "web", "ninja"), ["command ninja web"]);
    assert_eq!(observe("on").0, 0);
}

#[test]
fn a_damaged_file_is_told_once_and_hints_go_on() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    desk.run(&api, &["ls"]);
    let database = desk.runtime().join("history.db");
    fs::write(database, "garbage ".repeat(1000)).unwrap();
    desk.ran(&api, "s1", "make");
    let said = |line: &str| {
        let (status, said) = desk.ends(&api, line);
        assert_eq!(status, 0, "{line}: {said}");
        said
    };
    until("it is told", || {
        said("status").contains("`history.db` is damaged; it was moved to")
    });
    assert_eq!(found(&desk, "api", "make"), ["command make"]);
    said("set api build make").hides("history.db");
    said("get api build").hides("history.db").says("make");
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
    assert!(third.ends_with("make three"), "{third}");
    third.says("  s2  ");
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
