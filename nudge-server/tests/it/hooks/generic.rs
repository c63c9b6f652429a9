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
