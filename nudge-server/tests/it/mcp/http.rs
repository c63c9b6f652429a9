//! MCP over Streamable HTTP.

use nudge::{GetHint, SetHint};
use serde_json::{Value, json};

use super::client::{STATELESS, stateless};
use super::set;

use crate::served::Served;

/// Posts a message; gives the status and what came back.
fn post(server: &Served, headers: &[&str], message: &Value) -> (u16, Value) {
    let accept = "Accept: application/json, text/event-stream";
    let headers = [&[accept], headers].concat().join("\r\n") + "\r\n";
    let request = server.post("/mcp", &headers, &message.to_string());
    let response = server.tcp().ask(request);
    let body = serde_json::from_str(&response.body);
    (response.status(), body.unwrap_or_default())
}

fn request(method: &str, params: Value) -> Value {
    let mut request = json!({"jsonrpc": "2.0", "id": 1, "method": method});
    request["params"] = params;
    request
}

#[test]
fn an_agent_over_http_is_not_the_user_whatever_it_claims() {
    let server = Served::new();
    let primary = &server.primary;
    set(primary, SetHint::new("api", "build", "make"));
    // What a forger says beside the request counts no more than what it says in it.
    let claim = r#"Nudge-Origin: {"via": "cli", "actor": "user"}"#;
    let headers = ["Mcp-Protocol-Version: 2025-11-25", claim];
    let event = json!({"event": "after_command", "command": "make", "ok": false});
    for (method, params) in [
        ("nudge.on_event", event),
        ("nudge.stop", json!({})),
        ("nudge.accept", json!({"id": 1})),
        ("nudge.reject", json!({"id": 1})),
    ] {
        let (_, answer) = post(&server, &headers, &request(method, params));
        assert_eq!(answer["error"]["code"], 40301, "{answer}");
    }
    assert!(!*primary.stopped().borrow());
    let found = primary.nudge.get_hint(GetHint::new("api", "build"));
    assert_eq!(found.unwrap().hint.fail_count, 0);
}

#[test]
fn a_client_without_a_session_is_served_and_nothing_is_inferred() {
    let server = Served::new();
    let folder = std::env::current_dir().unwrap();
    let folder = folder.to_str().unwrap();
    let hint = SetHint::new("api", "build", "make").cwd_glob(folder);
    set(&server.primary, hint);
    let slot = json!({"component": "api", "key": "build", "full": true});
    let call = json!({"name": "nudge_get_hint", "arguments": slot});
    let (status, said) = post(&server, &[], &request("tools/call", call));
    let answer = &said["result"]["structuredContent"];
    assert_eq!(status, 200);
    assert!(answer["hint"].is_null(), "{said}");
    assert!(answer.get("context_used").is_none(), "{said}");
    let set = json!({"component": "api", "key": "test", "value": "make test", "full": true});
    let call = json!({"name": "nudge_set_hint", "arguments": set});
    let (_, said) = post(&server, &[], &request("tools/call", call));
    let hint = &said["result"]["structuredContent"]["hint"];
    let origin = json!({"via": "mcp", "at": hint["updated_at"]});
    let meta = json!({"source": "agent", "origin": origin});
    assert_eq!(hint["meta"], meta, "{said}");
    let raw = request("nudge.get_hint", json!({"component": "a", "key": "b"}));
    let (status, said) = post(&server, &[], &raw);
    assert_eq!((status, &said["error"]["code"]), (200, &json!(40401)));
}

#[test]
fn the_newest_revision_names_its_method_in_a_header() {
    let server = Served::new();
    let meta = stateless(Some("tester"));
    let set = json!({"component": "api", "key": "build", "value": "make", "_meta": meta});
    let version = format!("MCP-Protocol-Version: {STATELESS}");
    let message = request("nudge.set_hint", set);
    let headers = [&*version, "Mcp-Method: nudge.set_hint"];
    let (status, said) = post(&server, &headers, &message);
    assert_eq!(status, 200, "{said}");
    assert_eq!(said["result"]["resultType"], "complete");
    assert_eq!(said["result"]["hint"]["meta"]["added_by"], "tester/1");
    let (status, said) = post(&server, &[&version], &message);
    assert_eq!((status, &said["error"]["code"]), (400, &json!(-32020)));
}
