//! What an agent pays: the tools in every session, the instructions, and each answer.

use std::fmt::Write;
use std::sync::Arc;

use nudge::{Bump, Caller, SetHint, Via};
use nudge_server::primary::Primary;
use serde_json::{Value, json};

use super::client::{Client, opening};
use super::{HANDSHAKES, Place, client_of, hint, primary, set, slot};
use crate::docs::page::is_made;
use crate::says::Says;
use crate::schema::tools;

/// The most characters of what stands in every session: name, description and input schema
/// of all tools, and the instructions.
const MAX_TOOLS: usize = 6_500;
const MAX_INSTRUCTIONS: usize = 2_000;
/// The most tokens of a hit beside its value, at four characters each.
const MAX_HIT: usize = 60;

pub(super) const COMMAND: &str = "docker compose build router --no-cache .";

fn length(text: &Value) -> usize {
    text.to_string().chars().count()
}

/// Both copies of an answer are of the same length, and this is it.
pub(super) fn answered(client: &mut Client, tool: &str, arguments: Value) -> (usize, Value) {
    let said = client.call(tool, arguments);
    assert_eq!(said["isError"], false, "{said}");
    let text = said["content"][0]["text"].as_str().unwrap();
    let answer = said["structuredContent"].clone();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), answer);
    (text.chars().count(), answer)
}

/// What no agent may see of a full answer is not in the small one, and the rest is the same.
/// Only what hooks and the user saw, that there is more, and why there is nothing, the full one
/// says otherwise.
pub(crate) fn is_part_of(small: &Value, full: &Value) {
    match (small, full) {
        (Value::Object(small), Value::Object(full)) => {
            let added = ["worked", "failed", "left_out", "ineligible"];
            for (name, field) in small.iter().filter(|(name, _)| !added.contains(&&***name)) {
                let same = full.get(name);
                let same = same.unwrap_or_else(|| panic!("no {name} in {full:?}"));
                is_part_of(field, same);
            }
        }
        (Value::Array(small), Value::Array(full)) => {
            assert!(small.len() <= full.len(), "{small:?} {full:?}");
            for (small, full) in small.iter().zip(full) {
                is_part_of(small, full);
            }
        }
        _ => assert_eq!(small, full),
    }
}

/// A store in which an agent has set a few hints for a repository.
pub(super) fn store(hints: usize, value: &str) -> Arc<Primary> {
    let primary = primary();
    let codex = Caller::agent("codex/0.166").via(Via::Mcp);
    for number in 0..hints {
        let hint = SetHint::new("http-proxy", format!("build-{number}"), value);
        let hint = hint
            .reason("custom router image")
            .repo("git:github.com/acme/shop");
        primary.nudge.ask(&codex, hint).unwrap();
    }
    primary
}

pub(super) fn here() -> Value {
    json!({"repo": "git:github.com/acme/shop", "cwd": "/work/shop"})
}

pub(super) fn client_at(primary: &Arc<Primary>) -> Client {
    client_of(primary, Place::Elsewhere, HANDSHAKES[3])
}

#[test]
fn the_tools_and_the_instructions_are_short() {
    let listed = tools();
    let listed = listed["tools"].as_array().unwrap();
    let first = ["get_hint", "set_hint", "query", "bump"];
    for (tool, name) in listed.iter().zip(first) {
        assert_eq!(tool["name"], format!("nudge_{name}"));
    }
    for tool in listed {
        for field in ["context", "scope"] {
            let schema = tool["inputSchema"]["properties"].get(field);
            assert!(schema.is_none_or(|schema| schema["type"] == "object"));
        }
    }
    let said = |tool: usize, field: &str| {
        let field = listed[tool]["inputSchema"]["properties"].pointer(field);
        field.unwrap()["description"].as_str().unwrap()
    };
    assert!(said(0, "/context").contains("\"cwd\": \"/absolute/folder\""));
    assert!(said(1, "/meta/properties/scope").contains("\"branch\": [\"hotfix/*\"]"));
    assert!(tool_letters() <= MAX_TOOLS, "{}", tool_letters());
    let said = instructions();
    said.says("nudge_set_context").says("repository");
    said.says("`context`").says("`scope`").says("`full`");
    assert!(said.len() <= MAX_INSTRUCTIONS, "{}", said.len());
}

fn tool_letters() -> usize {
    let listed = tools();
    let tools = listed["tools"].as_array().unwrap().iter();
    let letters = tools.map(|tool| {
        let words = |name: &str| tool[name].as_str().unwrap().chars().count();
        words("name") + words("description") + length(&tool["inputSchema"])
    });
    letters.sum()
}

fn instructions() -> String {
    let mut client = super::silent();
    let opening = opening(HANDSHAKES[3], Some("t"));
    let opened = client.request("initialize", opening).unwrap();
    opened["instructions"].as_str().unwrap().to_owned()
}

#[test]
fn a_hit_costs_little_more_than_its_value() {
    let primary = store(1, COMMAND);
    let users = Bump::new("http-proxy", "build-0")
        .context(nudge::Context::new().repo("git:github.com/acme/shop"));
    primary.nudge.bump(users).unwrap();
    let mut client = client_at(&primary);
    let slot = json!({"component": "http-proxy", "key": "build-0", "context": here()});
    let (letters, answer) = answered(&mut client, "nudge_get_hint", slot.clone());
    let expected = json!({
        "hint": {
            "value": COMMAND, "worked": 1,
            "meta": {"reason": "custom router image", "source": "agent", "origin": {"client": "codex/0.166"}},
        },
        "match_explain": {
            "score": answer["match_explain"]["score"],
            "reasons": ["repo=git:github.com/acme/shop allowed", "recently used (0s ago)"],
        },
    });
    assert_eq!(answer, expected);
    let most = 4 * MAX_HIT + length(&json!(COMMAND));
    assert!(letters <= most, "{letters}: {answer}");
    is_part_of(&answer, &client.full("nudge_get_hint", slot));
}

#[test]
fn a_query_that_finds_nothing_for_its_scope_says_which_condition() {
    let primary = primary();
    let hint = SetHint::new("api", "build", "make").branch("dev");
    set(&primary, hint);
    let mut client = client_at(&primary);
    let asked = |branch: &str| json!({"query": "make", "context": {"branch": branch}});
    let (_, found) = answered(&mut client, "nudge_query", asked("main"));
    assert_eq!(found["scoped_out"], 1, "{found}");
    assert_eq!(found["ineligible"][0]["near_misses"][0]["actual"], "main");
    let (_, found) = answered(&mut client, "nudge_query", asked("dev"));
    assert_eq!(found["total"], 1);
    assert!(found.get("ineligible").is_none(), "{found}");
}

#[test]
fn what_the_user_has_set_does_not_say_so_and_claims_are_not_counted() {
    let primary = primary();
    set(&primary, SetHint::new("api", "build", "make"));
    let mut client = client_at(&primary);
    let (_, bumped) = answered(&mut client, "nudge_bump", slot());
    assert_eq!(bumped, json!({"counted": 1, "use_count": 1}));
    let (_, answer) = answered(&mut client, "nudge_get_hint", slot());
    assert_eq!(answer["hint"], json!({"value": "make"}));
    let fail = Bump::new("api", "build").outcome(nudge::Outcome::Fail);
    primary.nudge.bump(fail).unwrap();
    let (_, answer) = answered(&mut client, "nudge_get_hint", slot());
    assert_eq!(answer["hint"], json!({"value": "make", "failed": 1}));
    let full = client.full("nudge_get_hint", slot());
    assert_eq!(full["hint"]["use_count"], 1);
}

/// Every tool once, in the order in which an agent could call them.
#[test]
fn every_answer_is_small() {
    let primary = primary();
    let nudge = &primary.nudge;
    nudge.pin_clock(Some("2126-11-04T10:00:00Z")).unwrap();
    let lint = SetHint::new("api", "lint", "make lint");
    nudge.set_hint(lint).unwrap();
    let mut client = client_at(&primary);
    let branch = json!({"branch": ["dev"]});
    let dev = json!({"component": "api", "key": "build", "context": {"branch": "dev"}});
    let set = |key: &str, meta: Value| json!({"component": "api", "key": key, "value": "make", "meta": meta});
    let elsewhere = "if you are in another folder, pass `context`: {\"cwd\": \"/absolute/folder\"}";
    let near = json!([{"condition": "branch", "expected": ["dev"], "fix": "state `branch` in the context"}]);
    let why = "tester/1 over mcp would overwrite what the user has set";
    let (set_build, set_lint) = (
        set("build", json!({"scope": branch, "ttl": "PT2H"})),
        set("lint", json!({})),
    );
    let explained = json!({"score": 0.3, "reasons": ["applies everywhere"]});
    // The tool, its arguments, and what is answered.
    let cases = json!([
        ["set_hint", set_build, {
            "created": true, "hint": {"version": 1, "expires_at": "2126-11-04T12:00:00.000Z", "meta": {"scope": branch}}, "variants": 1,
        }],
        ["set_hint", set_lint, {
            "created": false, "hint": {"version": 1}, "variants": 1, "proposal": {"id": 1, "why": why},
            "note": "nothing was overwritten: the user has set this hint, and yours waits until the user runs `nudge accept 1`",
        }],
        ["get_hint", slot(), {
            "hint": null, "near_misses": near, "detail": "out_of_scope",
            "message": "`api/build` does not apply here: branch must match `dev`, but is not known; state `branch` in the context", "elsewhere": elsewhere,
        }],
        ["get_hint", {"component": "api", "key": "lint", "alternatives": 3}, {
            "hint": {"value": "make lint"}, "match_explain": explained, "proposal": {"id": 1, "value": "make"},
        }],
        ["query", {"include_ineligible": true}, {
            "hints": [{"component": "api", "key": "lint", "hint": {"value": "make lint"}, "match_explain": explained}],
            "total": 1, "scoped_out": 1, "ineligible": [{"component": "api", "key": "build", "near_misses": near}],
        }],
        ["bump", dev, {"counted": 1, "use_count": 1, "hint": {"meta": {"scope": branch}}}],
        ["list_components", {"component": "api"}, {"components": [{"name": "api", "hint_count": 2, "keys": ["build", "lint"]}]}],
        ["delete_hint", dev, {"deleted": true, "previous": {"value": "make", "meta": {"scope": branch}}, "remaining": 0}],
        ["delete_hint", {"component": "api", "key": "lint"}, {
            "deleted": false, "previous": {"value": "make lint"}, "remaining": 1,
            "proposal": {"id": 2, "why": "tester/1 over mcp would delete what the user has set"},
        }],
        ["set_context", {"sets": {"ports": [8080]}}, {"sets": {"ports": ["8080"]}}],
        ["get_context", {}, {"sets": {"ports": ["8080"]}}],
    ]);
    for case in cases.as_array().unwrap() {
        let tool = format!("nudge_{}", case[0].as_str().unwrap());
        let (_, answer) = answered(&mut client, &tool, case[1].clone());
        assert_eq!(answer, case[2], "{tool} {}", case[1]);
    }
}

#[test]
fn full_is_true_or_false() {
    let mut client = client_at(&primary());
    let wrong = client.call("nudge_query", json!({"full": "yes"}));
    assert_eq!(wrong["_meta"]["code"], 40001, "{wrong}");
    for full in [json!(true), json!(false), json!(null)] {
        let mut arguments = slot();
        arguments["full"] = full.clone();
        let said = &client.call("nudge_get_hint", arguments)["structuredContent"];
        let names_it = said.get("component").is_some();
        assert_eq!(names_it, full == true, "{said}");
    }
}

/// The table of `docs/tokens.md`, measured.
#[test]
fn the_docs_say_what_it_costs() {
    let primary = store(10, COMMAND);
    let mut client = client_at(&primary);
    let slot = |key: &str| json!({"component": "http-proxy", "key": key, "context": here()});
    let tools = "the ten tools: names, descriptions, input schemas";
    let words = instructions().chars().count();
    let mut rows = vec![
        (tools, tool_letters()),
        ("the server's `instructions`", words),
    ];
    let mut set = slot("test");
    set["value"] = json!("make test");
    let mut full = slot("build-0");
    full["full"] = json!(true);
    let hit = "a hit of `nudge_get_hint` for a command of 40 characters";
    let ten = "a `nudge_query` that finds ten such hints";
    for (name, tool, arguments) in [
        (hit, "get_hint", slot("build-0")),
        ("the same with `full: true`", "get_hint", full),
        ("a miss", "get_hint", slot("buidl")),
        (ten, "query", json!({"context": here()})),
        ("a `nudge_set_hint`", "set_hint", set),
        ("a `nudge_bump`", "bump", slot("build-0")),
    ] {
        let tool = format!("nudge_{tool}");
        rows.push((name, answered(&mut client, &tool, arguments).0));
    }
    let mut table = String::from("| | characters | tokens |\n|---|---|---|\n");
    for (name, letters) in rows {
        writeln!(table, "| {name} | {letters} | {} |", letters.div_ceil(4)).unwrap();
    }
    is_made("docs/tokens.md", "measured", &table);
}

#[test]
fn no_name_is_doubled_where_the_host_puts_the_servers_before_it() {
    for (host, name) in [("opencode", "get_hint"), ("claude-code", "nudge_get_hint")] {
        let session = || nudge_server::proxy::session::Session::local(primary());
        let mut client = Client::new(session, Place::Elsewhere, HANDSHAKES[3], Some(host));
        let listed = client.request("tools/list", json!({})).unwrap();
        assert_eq!(listed["tools"][0]["name"], name, "{host}");
        let set = client.call(&name.replace("get", "set"), hint("make"));
        assert_eq!(set["isError"], false, "{set}");
    }
}
