//! `nudge hook generic`: a harness that Nudge has no table for.

use serde_json::{Value, json};

use super::streams::Stage;

/// Plays an event of a harness in its own words, and reads the answer.
fn play(stage: &Stage, event: &Value) -> Value {
    let mut stdin = json!({"host": "mine", "session": "s-1", "context": {"cwd": "{project}"}});
    let more = event.as_object().unwrap().clone();
    stdin.as_object_mut().unwrap().extend(more);
    let printed = stage.play(&json!({"hook": "generic", "stdin": stdin}));
    serde_json::from_str(&printed).unwrap_or_default()
}

#[test]
fn any_harness_learns_and_is_told() {
    let stage = Stage::new();
    let ran = json!({"event": "after_command", "command": "make test", "exit_code": 0});
    assert_eq!(play(&stage, &ran)["did"][0]["learned"], "api/test");
    let start = json!({"event": "session_start", "session": "s-2"});
    let told = play(&stage, &start)["text"].as_str().unwrap().to_owned();
    let line = "[learned, worked 1×] api/test: `make test`";
    assert!(told.contains(line), "{told}");
    assert_eq!(play(&stage, &json!({"event": "session_end"})), Value::Null);
}

#[test]
fn an_event_that_nobody_knows_is_named_with_the_nearest() {
    let runtime = crate::process::folder();
    let said = |event: &str| {
        let output = super::told(&mut super::hook(runtime.path(), "generic"), event);
        super::well(&output).1
    };
    let near = "nudge: no event `after_comand`; the nearest is `after_command`\n";
    assert_eq!(said(r#"{"event": "after_comand"}"#), near);
    assert_eq!(said(r#"{"event": "other"}"#), "");
}

#[test]
fn what_is_no_event_is_one_line_and_no_failure() {
    let runtime = crate::process::folder();
    for event in ["{}", "[]", "no event"] {
        let output = super::told(&mut super::hook(runtime.path(), "generic"), event);
        let (printed, said) = super::well(&output);
        assert_eq!(printed, "");
        let is_line = said.starts_with("nudge: ") && said.lines().count() == 1;
        assert!(is_line, "{said}");
    }
}
