//! What agents were told, and what came of it: what is written down, and what is not.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Stage, Written, event, written};

/// A stage that writes down what it tells, and what it has told.
fn stage() -> (Stage, Arc<Written>) {
    let (stage, written) = written();
    stage.set(json!({"component": "api", "key": "test", "value": "make t"}));
    (stage, written)
}

/// An event of another command, in another folder, session or host.
fn with(mut event: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        event[name] = value.clone();
    }
    event
}

fn ran(command: &str) -> Value {
    with(event("after_command", command), &json!({"exit_code": 0}))
}

const TOLD: &str = r#"before_command: Nudge: [user] api/test here is "make t""#;

#[test]
fn a_command_that_was_told_and_is_the_next_of_its_kind_is_heeded_once() {
    let (stage, written) = stage();
    stage.react(&event("before_command", "npm test"));
    // Neither is of that kind.
    stage.react(&ran("git status"));
    stage.react(&ran("npm run lint"));
    stage.react(&ran("make t"));
    stage.react(&ran("make t"));
    assert_eq!(*written.lines.lock().unwrap(), [TOLD, "heeded: make t"]);
}

#[test]
fn another_command_of_its_kind_is_not_and_neither_is_what_comes_after_it() {
    let context = json!({"cwd": "/work/api", "root": "/work/api", "repo": "git:acme/api"});
    let here = json!({"context": context});
    for other in ["npm test", "cd web && make t"] {
        let (stage, written) = stage();
        stage.react(&with(event("before_command", "npm test"), &here));
        stage.react(&with(ran(other), &here));
        assert_eq!(*written.lines.lock().unwrap(), [TOLD], "{other}");
    }
    let (stage, written) = stage();
    stage.react(&event("before_command", "npm test"));
    stage.react(&ran("npm test"));
    stage.react(&ran("make t"));
    assert_eq!(*written.lines.lock().unwrap(), [TOLD]);
}

#[test]
fn every_line_of_a_start_counts_and_its_heading_does_not() {
    let (stage, written) = stage();
    stage.set(json!({"component": "api", "key": "build", "value": "make"}));
    stage.react(&event("session_start", ""));
    stage.react(&ran("make t"));
    let lines = written.lines.lock().unwrap().clone();
    let expected = [
        "session_start: - [user] api/build: make",
        "session_start: - [user] api/test: make t",
        "heeded: make t",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn without_a_host_and_a_session_nothing_counts() {
    let (stage, written) = stage();
    for nobody in [json!({"host": null}), json!({"session": null})] {
        let told = stage.react(&with(event("session_start", ""), &nobody));
        assert!(told["text"].is_string(), "{told}");
    }
    assert!(written.lines.lock().unwrap().is_empty());
}

/// A stage on which `rtk make t` could not run in two sessions, and `make t` did.
fn pitfall() -> (Stage, Arc<Written>) {
    let (stage, written) = stage();
    for session in ["a", "b"] {
        let of = |event: Value| with(event, &json!({"session": session}));
        let lacks = json!({"exit_code": 127, "output": "sh: rtk: command not found"});
        stage.react(&of(with(event("after_command", "rtk npm test"), &lacks)));
        stage.react(&of(ran("npm test")));
    }
    written.lines.lock().unwrap().clear();
    (stage, written)
}

/// Before a command that the host can hold back.
fn before(command: &str) -> Value {
    let may = json!({"hold_back": "may", "programs": {}});
    with(event("before_command", command), &may)
}

#[test]
fn a_command_that_is_held_back_counts_as_stopped_once_another_one_works() {
    for (next, came) in [
        (
            "npm test",
            &["heeded: npm test", "stopped: rtk npm test"][..],
        ),
        // What it is given may be a credential.
        ("pytest --password=xK92mQp7Lw", &["stopped: rtk npm test"]),
        ("rtk npm test", &[]),
    ] {
        let (stage, written) = pitfall();
        let held = stage.react(&before("rtk npm test"));
        assert_eq!(held["hold_back"], true, "{held}");
        stage.react(&ran(next));
        let lines = written.lines.lock().unwrap().clone();
        let told = format!("held_back: {}", held["text"].as_str().unwrap());
        let expected = [&*told].into_iter().chain(came.iter().copied());
        assert_eq!(lines, expected.collect::<Vec<_>>(), "{next}");
    }
}

#[test]
fn what_might_work_is_never_held_back() {
    let (stage, _) = pitfall();
    for command in [
        "rtk npm test || npm test",
        "rtk npm test; true",
        "rtk npm test | grep x",
        "rtk npm test 2>&1 | tail -5",
        "rtk npm test &",
        "make t && rtk npm test",
        "export A=1 && rtk npm test",
        "git status",
    ] {
        let said = stage.react(&with(before(command), &json!({"session": command})));
        assert_ne!(said["hold_back"], true, "{command}: {said}");
    }
    for (session, command) in [
        ("s1", "rtk npm test 2>&1"),
        ("s2", "cd . && rtk npm test && make"),
    ] {
        let said = stage.react(&with(before(command), &json!({"session": session})));
        assert_eq!(said["hold_back"], true, "{command}: {said}");
    }
    let there = json!({"programs": {"rtk": "1"}});
    assert_eq!(
        stage.react(&with(before("rtk npm test"), &there)),
        json!({})
    );
}
