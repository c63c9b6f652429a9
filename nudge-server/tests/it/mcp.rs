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

use self::client::{Client, STATELESS};

/// The revisions that begin with a handshake.
const HANDSHAKES: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const HERE: Place = Place::Here;

fn primary() -> Arc<Primary> {
    Arc::new(Primary::with_system_clock(Config::default(), 0))
}

fn client_of(primary: &Arc<Primary>, place: Place, revision: &str) -> Client {
    let primary = Arc::clone(primary);
    Client::new(|| Session::local(primary), place, revision, Some("tester"))
}

fn client() -> Client {
    client_of(&primary(), Place::Elsewhere, "2025-11-25")
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
        let set = client.call(
            "nudge_set_hint",
            json!({"component": "api", "key": "build", "value": "make"}),
        );
        assert_eq!(set["structuredContent"]["created"], true, "{revision}");
        let complete = (revision == STATELESS).then_some("complete");
        assert_eq!(
            set.get("resultType").and_then(Value::as_str),
            complete,
            "{revision}"
        );
        client.end().unwrap();
    }
}

#[test]
fn a_client_may_look_before_it_chooses_a_revision() {
    let mut client = silent();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = client
        .request("server/discover", json!({"_meta": meta}))
        .unwrap();
    let revisions = found["supportedVersions"].as_array().unwrap();
    assert_eq!(revisions.len(), 5, "{found}");
    assert!(found["instructions"].is_string(), "{found}");
    let opening = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    });
    let opened = client.request("initialize", opening).unwrap();
    assert_eq!(opened["protocolVersion"], "2025-06-18");
    assert_eq!(opened["serverInfo"]["name"], "nudge");
}

#[test]
fn a_result_is_structured_and_the_same_as_text() {
    let mut client = client();
    client.call(
        "nudge_set_hint",
        json!({"component": "api", "key": "build", "value": "make"}),
    );
    for (tool, arguments) in [
        (
            "nudge_get_hint",
            json!({"component": "api", "key": "build"}),
        ),
        ("nudge_query", json!({})),
        ("nudge_bump", json!({"component": "api", "key": "build"})),
        ("nudge_list_components", json!({"component": "api"})),
        ("nudge_export", json!({"format": "json"})),
        (
            "nudge_delete_hint",
            json!({"component": "api", "key": "build"}),
        ),
    ] {
        let said = client.call(tool, arguments);
        let text = said["content"][0]["text"].as_str().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(text).unwrap(),
            said["structuredContent"],
            "{tool}"
        );
        assert_eq!(said["isError"], false, "{tool}");
    }
}

#[test]
fn a_refusal_is_a_result_that_says_its_code() {
    let mut client = client();
    let said = client.call(
        "nudge_set_hint",
        json!({"component": "api", "kee": "build", "value": "make"}),
    );
    assert_eq!(said["isError"], true);
    assert!(said.get("structuredContent").is_none());
    let text = said["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("E_INVALID (40001): ") && text.contains("`key`"),
        "{text}"
    );
    assert_eq!(said["_meta"]["reason"], "E_INVALID");
    assert_eq!(said["_meta"]["code"], 40001);
    let gone = client.call(
        "nudge_delete_hint",
        json!({"component": "api", "key": "build"}),
    );
    assert_eq!(
        (&gone["isError"], &gone["_meta"]["code"]),
        (&json!(true), &json!(40401))
    );
}

#[test]
fn a_get_that_finds_nothing_is_an_answer() {
    let mut client = client();
    let slot = json!({"component": "api", "key": "build"});
    let said = client.call("nudge_get_hint", slot.clone());
    assert_eq!(said["isError"], false);
    let answer = &said["structuredContent"];
    assert_eq!(
        (&answer["hint"], &answer["detail"]),
        (&Value::Null, &json!("no_slot"))
    );
    let full = client.full("nudge_get_hint", slot.clone());
    assert_eq!(full["match_explain"]["matched"], false);
    assert_eq!(
        (&full["component"], &full["key"]),
        (&slot["component"], &slot["key"])
    );

    let scoped = json!({"component": "api", "key": "build", "value": "make", "meta": {"scope": {"branch": ["dev"]}}});
    client.call("nudge_set_hint", scoped);
    let answer = client.call("nudge_get_hint", slot);
    let answer = &answer["structuredContent"];
    assert_eq!(answer["near_misses"][0]["condition"], "branch");
    assert!(
        answer["message"].as_str().unwrap().contains("branch"),
        "{answer}"
    );
    let refused = client.call("nudge_get_hint", json!({"component": "api"}));
    assert_eq!(refused["_meta"]["code"], 40001);
}

#[test]
fn a_tool_may_be_called_as_its_method_is() {
    let mut client = client();
    for name in ["nudge_query", "nudge.query", "query"] {
        assert_eq!(
            client.call(name, json!({}))["structuredContent"]["total"],
            0
        );
    }
    let without = client
        .request("tools/call", json!({"name": "nudge_query"}))
        .unwrap();
    assert_eq!(without["structuredContent"]["total"], 0);
    for unknown in ["nudge_stop", "status", "nudge_nope"] {
        let error = client
            .request("tools/call", json!({"name": unknown}))
            .unwrap_err();
        assert_eq!(error["code"], -32602);
    }
    for arguments in [json!([]), json!("x")] {
        let call = json!({"name": "nudge_query", "arguments": arguments});
        assert_eq!(
            client.request("tools/call", call).unwrap_err()["code"],
            -32602
        );
    }
}

#[test]
fn a_write_says_which_client_it_comes_from() {
    for revision in ["2025-06-18", STATELESS] {
        let mut client = client_of(&primary(), Place::Elsewhere, revision);
        let mut set = |meta: Value| {
            let hint = json!({"component": "api", "key": "build", "value": "make", "meta": meta});
            client.full("nudge_set_hint", hint)["hint"]["meta"].clone()
        };
        let meta = set(json!({}));
        assert_eq!(
            (&meta["source"], &meta["added_by"]),
            (&json!("agent"), &json!("tester/1"))
        );
        let origin = &meta["origin"];
        assert_eq!(
            (&origin["via"], &origin["client"]),
            (&json!("mcp"), &json!("tester/1"))
        );
        assert_eq!(set(json!({"source": "user"}))["source"], "agent");
        assert_eq!(set(json!({"source": "tool-output"}))["source"], "agent");
        assert_eq!(set(json!({"added_by": "alice"}))["added_by"], "alice");
    }
}

#[test]
fn a_payload_cannot_claim_the_user_either() {
    let mut client = client();
    let hint = |source: Value| json!({"value": "make", "meta": {"source": source, "scope": {}}});
    let scoped = json!({"value": "x", "meta": {"source": "user", "scope": {"branch": ["dev"]}}});
    let unsaid = json!({"value": "make"});
    let hints =
        json!({"one": hint(json!("user")), "two": [scoped, hint(json!("user"))], "none": unsaid});
    let payload = json!({"schema_version": "1.1", "components": {"api": {"hints": hints}}});
    let said = client.call("nudge_import", json!({"payload": payload}));
    assert_eq!(said["structuredContent"]["imported"], 4, "{said}");
    let mut source = |key: &str, context: Value| {
        let slot = json!({"component": "api", "key": key, "context": context});
        let said = client.call("nudge_get_hint", slot);
        said["structuredContent"]["hint"]["meta"]["source"].clone()
    };
    assert_eq!(source("one", json!({})), "agent");
    assert_eq!(source("two", json!({})), "agent");
    assert_eq!(source("two", json!({"branch": "dev"})), "agent");
    assert_eq!(source("none", json!({})), "agent");
}

#[test]
fn a_client_that_started_the_server_need_not_say_where_it_is() {
    let primary = primary();
    let folder = std::env::current_dir().unwrap();
    let folder = folder.to_str().unwrap();
    primary
        .nudge
        .set_hint(SetHint::new("api", "build", "make").cwd_glob(folder))
        .unwrap();
    let slot = json!({"component": "api", "key": "build"});

    let mut here = client_of(&primary, HERE, "2025-11-25");
    let answer = here.full("nudge_get_hint", slot.clone());
    assert_eq!(answer["hint"]["value"], "make", "{answer}");
    assert_eq!(answer["context_used"]["cwd"], folder);
    let found = here.full("nudge_query", json!({"context": {"cwd": "/nowhere"}}));
    assert_eq!(
        (&found["total"], &found["context_used"]["cwd"]),
        (&json!(0), &json!("/nowhere"))
    );
    assert!(found["context_used"]["os"].is_string());
    let miss = here.full(
        "nudge_get_hint",
        json!({"component": "web", "key": "build"}),
    );
    assert_eq!(miss["context_used"]["cwd"], folder);
    let raw = here.request("nudge.get_hint", slot.clone()).unwrap();
    assert_eq!(raw["context_used"]["cwd"], folder);
    let listed = here.full("nudge_list_components", json!({}));
    assert!(listed.get("context_used").is_none());
    let typo = here.call(
        "nudge_get_hint",
        json!({"component": "a", "key": "b", "context": {"cdw": "/"}}),
    );
    assert_eq!(typo["_meta"]["field"], "context.cdw");

    let mut elsewhere = client_of(&primary, Place::Elsewhere, "2025-11-25");
    let answer = elsewhere.full("nudge_get_hint", slot);
    assert!(
        answer["hint"].is_null() && answer.get("context_used").is_none(),
        "{answer}"
    );
}

#[test]
fn a_write_without_a_scope_lands_where_the_client_is() {
    let repo = infer(None, &[])
        .unwrap()
        .facts()
        .repos
        .first()
        .map(|repo| json!({"repo": [repo.as_str()]}));
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
    assert!(
        everywhere["hint"]["meta"].get("scope").is_none(),
        "{everywhere}"
    );
    for method in ["nudge_bump", "nudge_delete_hint"] {
        let said = client.call(method, json!({"component": "api", "key": "build"}));
        assert_eq!(said["isError"], false, "{said}");
    }
}

#[test]
fn the_methods_of_json_rpc_are_answered_too() {
    for revision in ["2025-06-18", STATELESS] {
        let mut client = client_of(&primary(), Place::Elsewhere, revision);
        let set = json!({"component": "api", "key": "build", "value": "make"});
        let set = client.request("nudge.set_hint", set).unwrap();
        let complete = (revision == STATELESS).then_some("complete");
        assert_eq!(set.get("resultType").and_then(Value::as_str), complete);
        assert_eq!(set["hint"]["meta"]["added_by"], "tester/1");
        let nothing = json!({"component": "api", "key": "nope"});
        let error = client.request("nudge.get_hint", nothing).unwrap_err();
        assert_eq!(
            (&error["code"], &error["data"]["reason"]),
            (&json!(40401), &json!("E_NOT_FOUND"))
        );
        assert_eq!(
            client.request("nudge.status", json!({})).unwrap()["product"],
            "nudge"
        );
        for unknown in ["nudge.nope", "nope", "logging/setLevel"] {
            assert_eq!(
                client.request(unknown, json!({})).unwrap_err()["code"],
                -32601
            );
        }
    }
}

#[test]
fn the_prompt_briefs_an_agent_and_tells_what_applies() {
    let primary = primary();
    let mut client = client_of(&primary, HERE, "2025-11-25");
    let listed = client.request("prompts/list", json!({})).unwrap();
    assert_eq!(listed["prompts"][0]["name"], "nudge");
    let text = |client: &mut Client| {
        let said = client
            .request("prompts/get", json!({"name": "nudge"}))
            .unwrap();
        said["messages"][0]["content"]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(text(&mut client).contains("nudge_get_hint"));
    primary
        .nudge
        .set_hint(SetHint::new("api", "build", "make all"))
        .unwrap();
    assert!(text(&mut client).contains("- [user] api/build: make all"));
    let error = client
        .request("prompts/get", json!({"name": "nope"}))
        .unwrap_err();
    assert_eq!(error["code"], -32602);
}
