//! The routes of a server, over real sockets.

use std::io::{BufRead, Read};

use nudge::{Import, Via};
use nudge_client::sender::Known;
use nudge_client::{CHALLENGE, Sender, proof};
use serde_json::{Value, json};

use crate::served::Served;

/// A payload of nothing, which empties a store.
const EMPTY: &str = r#"{"schema_version": "1.0", "components": {}}"#;

fn build(value: &str) -> Value {
    json!({"component": "api", "key": "build", "value": value})
}

#[test]
fn a_call_is_answered_at_both_paths_and_on_both_sockets() {
    let server = Served::new();
    let set = server.call("nudge.set_hint", &build("make"));
    let response = server.tcp().ask(&set);
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.json()["result"]["created"], true);

    let response = server.unix().ask(&set);
    assert_eq!(response.json()["result"]["hint"]["version"], 2);
    let response = server.tcp().ask(set.replace("POST /rpc", "POST /"));
    assert_eq!(response.json()["result"]["hint"]["version"], 3);
}

#[test]
fn a_caller_who_shows_the_key_says_for_whom_it_speaks_in_a_header() {
    let server = Served::new();
    let mut client = server.tcp();
    let call =
        json!({"jsonrpc": "2.0", "method": "nudge.set_hint", "params": build("make"), "id": 1});
    let mut origin = |header: &str| {
        server
            .primary
            .nudge
            .import(Import::new(EMPTY).replace())
            .unwrap();
        let key = &server.primary.client_key;
        let shown = header.replacen('{', &format!("{{\"key\":\"{key}\","), 1);
        let headers = format!("Nudge-Origin: {shown}\r\n");
        let response = client.ask(server.post("/rpc", &headers, &call.to_string()));
        let mut hint = response.json()["result"]["hint"].take();
        assert_eq!(hint["meta"]["origin"]["at"], hint["updated_at"]);
        let mut origin = hint["meta"]["origin"].take();
        origin.as_object_mut().unwrap().remove("at");
        origin
    };
    let named = json!({"via": "cli", "client": "é/1", "repo": "git:acme/api"});
    let header = json!({"via": "cli", "client": "é/1", "here": {"repo": "git:acme/api"}});
    let header = header.to_string().replace('é', "\\u00e9");
    assert_eq!(origin(&header), named);
    // Neither the time nor who was there before is the caller's to say.
    let claim = json!({"via": "cli", "at": "2001-01-01T00:00:00Z", "replaced": {"via": "mcp"}});
    assert_eq!(origin(&claim.to_string()), json!({"via": "cli"}));
    let long = json!({"via": "cli", "client": "x".repeat(48_000)}).to_string();
    for unreadable in ["", "cli", "{", &*long] {
        assert_eq!(origin(unreadable), json!({"via": "http"}));
    }
}

#[test]
fn a_body_of_notifications_is_answered_without_a_body() {
    let server = Served::new();
    let mut client = server.tcp();
    let notification =
        json!({"jsonrpc": "2.0", "method": "nudge.set_hint", "params": build("make")});
    for body in [notification.clone(), json!([notification, notification])] {
        let response = client.ask(server.post("/rpc", "", &body.to_string()));
        assert_eq!((response.status(), &*response.body), (204, ""));
    }
    assert_eq!(server.primary.nudge.last_change(), 3);
}

#[test]
fn requests_that_are_sent_at_once_are_answered_in_order() {
    let server = Served::new();
    let mut client = server.tcp();
    let twice: String = ["a", "b"]
        .map(|value| server.call("nudge.set_hint", &build(value)))
        .concat();
    client.say(twice);
    for value in ["a", "b"] {
        let response = client.hear().unwrap();
        assert_eq!(response.json()["result"]["hint"]["value"], value);
    }
}

#[test]
fn who_says_what_it_knows_is_told_what_it_does_not_and_calls_again() {
    let server = Served::new();
    let mut client = server.unix();
    let mut calls = |mut by: Sender, known: &Known| -> Result<Value, Known> {
        by.known = Some(known.tag.clone());
        let slot = json!({"component": "api", "key": "build", "all": true});
        let response = client.ask(server.call_as(&by, "nudge.delete_hint", &slot));
        match response.status() {
            412 => Err(serde_json::from_value(response.json()).unwrap()),
            _ => Ok(response.json()["result"]["deleted"].clone()),
        }
    };
    let (nothing, user) = (Known::default(), Sender::process);
    let mut scoped = build("make");
    scoped["meta"] = json!({"scope": {"env_required": ["CI"]}});
    server.unix().ask(server.call("nudge.set_hint", &scoped));
    let known = calls(user(), &nothing).unwrap_err();
    assert_eq!(known.env_names, ["CI"]);
    assert_eq!(
        calls(user(), &known),
        Ok(json!(true)),
        "the first was not made"
    );
    assert_eq!(calls(user(), &known), Err(nothing.clone()));

    // Only the server of an agent has to know where that has moved.
    let agent = |via| Sender::new(via, Some("codex".to_owned())).session(Some("s-1".to_owned()));
    let mut hook = agent(Via::Hook);
    hook.moved_to = Some("/work".to_owned());
    assert!(calls(hook, &nothing).is_ok());
    let moved = calls(agent(Via::Mcp), &nothing).unwrap_err();
    assert_eq!(moved.cwd.as_deref(), Some("/work"));
    assert!(calls(agent(Via::Mcp), &moved).is_ok());
}

#[test]
fn health_tells_its_user_who_the_server_is() {
    let server = Served::new();
    let response = server.tcp().ask(server.get("/health", ""));
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), Some("application/json"));
    let identity = &server.primary.identity;
    let expected = json!({
        "product": "nudge", "version": identity.version, "protocol": identity.protocol, "role": "primary",
        "session_id": identity.session_id, "pid": std::process::id(), "nonce": identity.nonce,
    });
    assert_eq!(response.json(), expected);
    let response = server.unix().ask("GET /health HTTP/1.1\r\n\r\n");
    assert_eq!(response.json(), expected);
}

#[test]
fn health_proves_that_it_knows_the_nonce_to_whom_it_does_not_tell_it() {
    let server = Served::new();
    let nonce = &server.primary.identity.nonce;
    let asked = |challenge: &str| {
        // With a token that is wrong nobody is known.
        let headers = format!("Authorization: Bearer x\r\n{CHALLENGE}: {challenge}\r\n");
        let response = server.tcp().ask(server.get("/health", &headers));
        assert!(!response.body.contains(nonce.as_str()));
        response.json()["proof"].as_str().map(str::to_owned)
    };
    assert_eq!(asked("one"), Some(proof(nonce, "one")));
    assert_ne!(asked("two"), asked("one"));
    assert_eq!(asked(&"x".repeat(64)), Some(proof(nonce, &"x".repeat(64))));
    assert_eq!(asked(&"x".repeat(65)), None);
    let plain = server.tcp().ask(server.get("/health", ""));
    assert_eq!(plain.json().get("proof"), None);
}

#[test]
fn what_is_not_there_is_answered_with_what_is() {
    let server = Served::new();
    let mut client = server.tcp();
    for (request, status) in [
        (server.get("/nope", ""), 404),
        (server.post("/rpc/x", "", "{}"), 404),
        (server.get("/", "").replace("GET", "PUT"), 405),
        (server.get("/rpc", ""), 405),
        (server.post("/health", "", "{}"), 405),
        (server.get("/health", "").replace("GET", "DELETE"), 405),
        (server.get("/rpc", "").replace("GET", "OPTIONS"), 405),
    ] {
        let response = client.ask(&request);
        assert_eq!(response.status(), status, "{request}");
        assert!(response.body.contains("POST /rpc"), "{}", response.body);
    }
}

#[test]
fn a_watcher_hears_of_changes_and_can_come_back() {
    let server = Served::new();
    let mut watcher = server.tcp();
    let response = watcher.ask(server.get("/events", ""));
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), Some("text/event-stream"));
    let mut client = server.tcp();
    for value in ["a", "b"] {
        client.ask(server.call("nudge.set_hint", &build(value)));
    }
    let mut lines = watcher.0.by_ref().lines().map(Result::unwrap);
    let mut data = || {
        let line = lines.find(|line| line.starts_with("data: ")).unwrap();
        serde_json::from_str::<Value>(&line["data: ".len()..]).unwrap()
    };
    assert_eq!(data()["hint"]["value"], "a");
    assert_eq!(data()["hint"]["value"], "b");

    let mut watcher = server.unix();
    watcher.say(server.get("/events", "Last-Event-ID: 1\r\n"));
    watcher.hear().unwrap();
    let lines = watcher.0.by_ref().lines().map(Result::unwrap);
    let id = { lines }.find(|line| line.starts_with("id: "));
    assert_eq!(id.as_deref(), Some("id: 2"));
}

#[test]
fn a_server_that_is_stopped_answers_and_ends_and_keeps_no_watcher() {
    let server = Served::new();
    let mut watcher = server.tcp();
    watcher.ask(server.get("/events", ""));
    let mut idle = server.unix();
    idle.ask(server.get("/health", ""));
    let mut client = server.tcp();
    let response = client.ask(server.call("nudge.stop", &json!({})));
    assert_eq!(response.json()["result"]["stopped"], true);
    assert!(client.is_at_its_end());
    assert!(idle.is_at_its_end());
    // The end of a stream in chunks.
    let mut rest = Vec::new();
    watcher.0.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"0\r\n\r\n");
    server.ended();
}
