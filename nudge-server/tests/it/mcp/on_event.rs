//! Hooks that call a tool: it is not listed, and answers in the host's own shape.

use std::sync::Arc;

use nudge::{Config, GetHint, SetHint};
use nudge_server::primary::Primary;
use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use super::client::Client;

fn opened() -> (Arc<Primary>, Client) {
    let primary = Arc::new(Primary::with_system_clock(Config::default(), 0));
    let hint = SetHint::new("api", "build", "make -j4");
    primary.nudge.set_hint(hint).unwrap();
    let session = Session::local(Arc::clone(&primary));
    let client = Client::new(
        || session,
        Place::Elsewhere,
        "2025-11-25",
        Some("claude-code"),
    );
    (primary, client)
}

fn hook(event: &str, command: &str) -> Value {
    json!({"event": event, "command": command, "cwd": "/work/api", "session": "s1"})
}

fn text(result: &Value) -> &str {
    assert_ne!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_hook_may_call_the_tool_that_models_do_not_see() {
    let (primary, mut client) = opened();
    let listed = client.request("tools/list", json!({})).unwrap();
    assert!(!listed.to_string().contains("on_event"));

    for name in ["nudge_on_event", "on_event", "nudge.on_event"] {
        let worked = client.call(name, hook("PostToolUse", "cd /work/api && make -j4"));
        assert_eq!(text(&worked), "");
    }
    let failed = client.call("nudge_on_event", hook("PostToolUseFailure", "make -j4"));
    assert_eq!(text(&failed), "");
    let hint = primary
        .nudge
        .get_hint(GetHint::new("api", "build"))
        .unwrap()
        .hint;
    assert_eq!((hint.use_count, hint.fail_count), (3, 1));
}

#[test]
fn what_an_agent_is_told_is_what_a_hook_of_its_host_would_print() {
    let (_, mut client) = opened();
    let told = client.call("nudge_on_event", hook("PreToolUse", "ninja"));
    let told: Value = serde_json::from_str(text(&told)).unwrap();
    let output = &told["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse");
    let words = "Nudge: api/build here is \"make -j4\" (set by the user)";
    assert_eq!(output["additionalContext"], words);
    let again = client.call("nudge_on_event", hook("PreToolUse", "ninja"));
    assert_eq!(text(&again), "");
    let ours = client.call("nudge_on_event", hook("before_command", "ls"));
    assert_eq!(text(&ours), "{}");
}

#[test]
fn a_call_without_an_event_is_refused_and_one_with_an_unknown_event_is_not() {
    let (_, mut client) = opened();
    let refused = client.call("nudge_on_event", json!({"command": "make"}));
    assert_eq!(refused["isError"], true, "{refused}");
    let silent = client.call(
        "nudge_on_event",
        json!({"event": "Stop", "colour": {"is": 1}}),
    );
    assert_eq!(text(&silent), "{}");
}
