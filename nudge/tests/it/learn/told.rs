//! What came of telling: what counts, what does not, and what is shown of it.

use nudge::Receipts;
use serde_json::{Value, json};

use super::{Stage, event};

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

fn counts(stage: &Stage) -> (usize, usize) {
    let receipts = stage.nudge.receipts();
    (receipts.told, receipts.avoided)
}

fn stage() -> Stage {
    let stage = Stage::new();
    stage.set(json!({"component": "api", "key": "test", "value": "make t"}));
    stage
}

/// A stage whose client was told of `make t` before it ran `npm test`.
fn told() -> Stage {
    let stage = stage();
    let told = stage.react(&event("before_command", "npm test"));
    assert!(told["text"].is_string(), "{told}");
    assert_eq!(counts(&stage), (1, 0));
    stage
}

#[test]
fn a_command_that_a_client_was_told_of_and_runs_counts_once() {
    let stage = told();
    stage.at("14:02");
    stage.react(&ran("make t"));
    stage.react(&ran("make t"));
    let receipts = stage.nudge.receipts();
    let words = "today: 1 hint told, 1 wrong command avoided; \
                 last: claude ran `make t` instead of `npm test`, 14:02 UTC";
    assert_eq!(receipts.to_string(), words);
    let json = json!({
        "day": "2025-11-04", "told": 1, "avoided": 1,
        "last": {
            "client": "claude", "ran": "make t", "instead_of": "npm test",
            "at": "2025-11-04T14:02:00.000Z",
        },
    });
    assert_eq!(serde_json::to_value(&receipts).unwrap(), json);
}

#[test]
fn after_a_failure_it_counts_as_well() {
    let stage = stage();
    stage.react(&with(
        event("after_command", "npm test"),
        &json!({"exit_code": 1, "output": "npm error Missing script: \"test\""}),
    ));
    stage.react(&ran("make t"));
    assert_eq!(counts(&stage), (1, 1));
}

#[test]
fn it_counts_for_nobody_else_nowhere_else_and_not_for_another_command() {
    let elsewhere = json!({"context": {"cwd": "/work/api", "repo": "git:acme/web"}});
    for other in [
        ran("npm test"),
        ran("pnpm lint"),
        with(ran("make t"), &json!({"session": "s2"})),
        with(ran("make t"), &json!({"host": "codex"})),
        with(ran("make t"), &elsewhere),
        event("before_command", "make t"),
    ] {
        let stage = told();
        stage.react(&other);
        assert_eq!(counts(&stage), (1, 0), "{other}");
    }
    let stage = told();
    stage.at("14:31");
    stage.react(&ran("make t"));
    assert_eq!(counts(&stage), (1, 0), "much later");
    let stage = told();
    stage.react(&event("after_command", "make t"));
    assert_eq!(counts(&stage), (1, 1), "it ran, however it ended");
    let stage = told();
    let below = json!({"context": {"cwd": "/work/api/src", "repo": "git:acme/api"}});
    stage.react(&with(ran("make t"), &below));
    assert_eq!(counts(&stage), (1, 1), "a place is a repository");
}

#[test]
fn hints_at_the_start_of_a_session_are_told_and_those_asked_for_are_not() {
    let stage = stage();
    stage.set(json!({"component": "api", "key": "build", "value": "make"}));
    stage.react(&event("session_start", ""));
    assert_eq!(counts(&stage), (2, 0));
    stage.react(&with(event("session_start", ""), &json!({"host": null})));
    assert_eq!(counts(&stage), (2, 0));
}

#[test]
fn neither_a_secret_nor_an_active_character_is_shown() {
    let secret = concat!("xK92", "mQp7Lw");
    let stage = stage();
    let hint = json!({
        "component": "api", "key": "pin", "value": "tulip", "meta": {"sensitivity": "secret"},
    });
    stage.set(hint);
    for (command, shown) in [
        (
            format!("DB_PASSWORD={secret} npm test"),
            Some("DB_PASSWORD=*** npm test"),
        ),
        ("npm test --pin=tulip".to_owned(), None),
        ("npm test '--x=\u{202e}'".to_owned(), None),
        (format!("npm test --{}", "x".repeat(300)), None),
    ] {
        stage.react(&event("session_end", ""));
        stage.react(&event("before_command", &command));
        stage.react(&ran("make t"));
        let receipts = stage.nudge.receipts();
        let instead_of = receipts.last.map(|last| last.instead_of);
        assert_eq!(instead_of.as_deref(), shown, "{command}");
    }
    assert_eq!(counts(&stage), (4, 4));
}

#[test]
fn a_day_begins_anew_and_an_earlier_process_is_gone_on_with() {
    let stage = told();
    stage.react(&ran("make t"));
    let receipts = stage.nudge.receipts();
    let json = serde_json::to_string(&receipts).unwrap();
    let next = Stage::new();
    next.nudge
        .resume_receipts(serde_json::from_str(&json).unwrap());
    assert_eq!(next.nudge.receipts(), receipts);
    next.nudge.pin_clock(Some("2025-11-05T00:00:00Z")).unwrap();
    let mut fresh = Receipts::default();
    fresh.day = "2025-11-05".to_owned();
    assert_eq!(next.nudge.receipts(), fresh);
    next.nudge.resume_receipts(receipts);
    assert_eq!(next.nudge.receipts(), fresh);
}
