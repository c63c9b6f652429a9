//! MCP, as a client sees it.

pub(crate) mod client;
pub(crate) mod host;
mod http;
mod lists;
mod observations;
pub(crate) mod origin;
mod proposals;
mod resources;
pub(crate) mod small;
mod stdio;
mod suggestions;
mod unreadable;

use std::sync::Arc;

use nudge::{Config, SetHint};
use nudge_server::primary::Primary;
use nudge_server::proxy::infer::infer;
use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use self::client::{Client, STATELESS, opening, stateless};
use crate::says::Says;

/// The revisions that begin with a handshake.
const HANDSHAKES: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const HERE: Place = Place::Here;

pub(crate) fn primary() -> Arc<Primary> {
    Arc::new(Primary::with_system_clock(Config::default(), 0))
}

fn client_of(primary: &Arc<Primary>, place: Place, revision: &str) -> Client {
    let primary = Arc::clone(primary);
    Client::new(|| Session::local(primary), place, revision, Some("tester"))
}

fn client() -> Client {
    client_of(&primary(), Place::Elsewhere, "2025-11-25")
}

/// The arguments that set `api/build`.
fn hint(value: &str) -> Value {
    json!({"component": "api", "key": "build", "value": value})
}

/// Those that name it.
fn slot() -> Value {
    json!({"component": "api", "key": "build"})
}

/// What the user sets past the client.
fn set(primary: &Primary, hint: SetHint) {
    primary.nudge.set_hint(hint).unwrap();
}

fn silent() -> Client {
    let primary = primary();
    Client::silent(|| Session::local(primary), HERE)
}

#[test]
fn every_revision_is_spoken() {
    for revision in HANDSHAKES.into_iter().chain([STATELESS]) {
        let mut client = client_of(&primary(), HERE, revision);
        let listed = client.request("tools/list", json!({})).unwrap();
        assert_eq!(listed["tools"].as_array().unwrap().len(), 10, "{revision}");
        let set = client.call("nudge_set_hint", hint("make"));
        assert_eq!(set["structuredContent"]["created"], true, "{revision}");
        let complete = (revision == STATELESS).then(|| json!("complete"));
        assert_eq!(set.get("resultType"), complete.as_ref(), "{revision}");
        client.end().unwrap();
    }
}

#[test]
fn a_client_may_look_before_it_chooses_a_revision() {
    let mut client = silent();
    let meta = json!({"_meta": stateless(None)});
    let found = client.request("server/discover", meta).unwrap();
    let revisions = found["supportedVersions"].as_array().unwrap();
    assert_eq!(revisions.len(), 5, "{found}");
    assert!(found["instructions"].is_string(), "{found}");
    let opening = opening("2025-06-18", Some("t"));
    let opened = client.request("initialize", opening).unwrap();
    assert_eq!(opened["protocolVersion"], "2025-06-18");
    assert_eq!(opened["serverInfo"]["name"], "nudge");
}

#[test]
fn a_tool_may_be_called_as_its_method_is() {
    let mut client = client();
    for call in [
        json!({"name": "nudge_query", "arguments": {}}),
        json!({"name": "nudge.query", "arguments": {}}),
        json!({"name": "query", "arguments": {}}),
        json!({"name": "nudge_query"}),
    ] {
        let found = client.request("tools/call", call).unwrap();
        assert_eq!(found["structuredContent"]["total"], 0);
    }
    for call in [
        json!({"name": "nudge_stop"}),
        json!({"name": "status"}),
        json!({"name": "nudge_nope"}),
        json!({"name": "nudge_query", "arguments": []}),
        json!({"name": "nudge_query", "arguments": "x"}),
    ] {
        let error = client.request("tools/call", call).unwrap_err();
        assert_eq!(error["code"], -32602);
    }
}

#[test]
fn a_write_says_which_client_it_comes_from() {
    for revision in ["2025-06-18", STATELESS] {
        let mut client = client_of(&primary(), Place::Elsewhere, revision);
        let mut set = |meta: Value| {
            let mut hint = hint("make");
            hint["meta"] = meta;
            client.full("nudge_set_hint", hint)["hint"]["meta"].clone()
        };
        for source in ["user", "tool-output"] {
            let meta = set(json!({"source": source}));
            assert_eq!(meta["source"], "agent");
            assert_eq!(meta["added_by"], "tester/1");
            assert_eq!(meta["origin"]["via"], "mcp");
            assert_eq!(meta["origin"]["client"], "tester/1");
        }
        assert_eq!(set(json!({"added_by": "alice"}))["added_by"], "alice");
    }
}

#[test]
fn a_client_that_started_the_server_need_not_say_where_it_is() {
    let primary = primary();
    let folder = std::env::current_dir().unwrap();
    let folder = folder.to_str().unwrap();
    let hint = SetHint::new("api", "build", "make");
    set(&primary, hint.cwd_glob(folder));

    let mut here = client_of(&primary, HERE, "2025-11-25");
    let answer = here.full("nudge_get_hint", slot());
    assert_eq!(answer["hint"]["value"], "make", "{answer}");
    assert_eq!(answer["context_used"]["cwd"], folder);
    let found = here.full("nudge_query", json!({"context": {"cwd": "/nowhere"}}));
    assert_eq!(found["total"], 0);
    assert_eq!(found["context_used"]["cwd"], "/nowhere");
    assert!(found["context_used"]["os"].is_string());
    let nothing = json!({"component": "web", "key": "build"});
    let miss = here.full("nudge_get_hint", nothing);
    assert_eq!(miss["context_used"]["cwd"], folder);
    let raw = here.request("nudge.get_hint", slot()).unwrap();
    assert_eq!(raw["context_used"]["cwd"], folder);
    let listed = here.full("nudge_list_components", json!({}));
    assert!(listed.get("context_used").is_none());
    let mut typo = slot();
    typo["context"] = json!({"cdw": "/"});
    let typo = here.call("nudge_get_hint", typo);
    assert_eq!(typo["_meta"]["field"], "context.cdw");

    let mut elsewhere = client_of(&primary, Place::Elsewhere, "2025-11-25");
    let answer = elsewhere.full("nudge_get_hint", slot());
    assert!(answer["hint"].is_null(), "{answer}");
    assert!(answer.get("context_used").is_none(), "{answer}");
}

#[test]
fn a_write_without_a_scope_lands_where_the_client_is() {
    let here = infer(None, &[]).unwrap();
    let repo = here.facts().repos.first();
    let repo = repo.map(|repo| json!({"repo": [repo.as_str()]}));
    let primary = primary();
    let mut client = client_of(&primary, Place::Here, "2025-11-25");
    let mut set = |key: &str, meta: Value| {
        let hint = json!({"component": "api", "key": key, "value": "make", "meta": meta});
        client.call("nudge_set_hint", hint)["structuredContent"].clone()
    };
    let first = set("build", json!({}));
    assert_eq!(first["hint"]["meta"].get("scope"), repo.as_ref(), "{first}");
    let again = set("build", json!({}));
    assert_eq!(again["variants"], 1, "{again}");
    let everywhere = set("test", json!({"scope": {}}));
    let scope = everywhere["hint"]["meta"].get("scope");
    assert!(scope.is_none(), "{everywhere}");
    for method in ["nudge_bump", "nudge_delete_hint"] {
        let said = client.call(method, slot());
        assert_eq!(said["isError"], false, "{said}");
    }
}

#[test]
fn the_methods_of_json_rpc_are_answered_too() {
    for revision in ["2025-06-18", STATELESS] {
        let mut client = client_of(&primary(), Place::Elsewhere, revision);
        let set = client.request("nudge.set_hint", hint("make")).unwrap();
        let complete = (revision == STATELESS).then(|| json!("complete"));
        assert_eq!(set.get("resultType"), complete.as_ref());
        assert_eq!(set["hint"]["meta"]["added_by"], "tester/1");
        let nothing = json!({"component": "api", "key": "nope"});
        let error = client.request("nudge.get_hint", nothing).unwrap_err();
        assert_eq!(error["code"], 40401);
        assert_eq!(error["data"]["reason"], "E_NOT_FOUND");
        let status = client.request("nudge.status", json!({})).unwrap();
        assert_eq!(status["product"], "nudge");
        for unknown in ["nudge.nope", "nope", "logging/setLevel"] {
            let error = client.request(unknown, json!({})).unwrap_err();
            assert_eq!(error["code"], -32601);
        }
    }
}

#[test]
fn the_prompt_briefs_an_agent_and_tells_what_applies() {
    let primary = primary();
    let mut client = client_of(&primary, HERE, "2025-11-25");
    let listed = client.request("prompts/list", json!({})).unwrap();
    assert_eq!(listed["prompts"][0]["name"], "nudge");
    let mut get = |name: &str| client.request("prompts/get", json!({"name": name}));
    let text = |said: Value| said["messages"][0]["content"]["text"].to_string();
    text(get("nudge").unwrap()).says("nudge_get_hint");
    set(&primary, SetHint::new("api", "build", "make all"));
    text(get("nudge").unwrap()).says("- [user] api/build: make all");
    assert_eq!(get("nope").unwrap_err()["code"], -32602);
}
