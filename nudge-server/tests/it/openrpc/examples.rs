//! The examples: a little story that is told to a store of its own, so that what
//! the document shows is what a server answers.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta};
use nudge::{Actor, Clock, Config, ManualClock, Via};
use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

pub(super) struct Example {
    pub(super) method: Method,
    pub(super) name: String,
    pub(super) params: Value,
    pub(super) result: Value,
}

/// When the story begins: 2025-11-04 at ten in the morning.
const START: i64 = 1_762_250_400;

/// The story, with one call of each method that people ask about most.
pub(super) fn examples() -> Vec<Example> {
    let clock = Arc::new(ManualClock::at(
        DateTime::from_timestamp(START, 0).unwrap_or_default(),
    ));
    let config = Config {
        session_id: Some("s-1".to_owned()),
        keep: true,
        ..Config::default()
    };
    let mut primary = Primary::new(config, Arc::clone(&clock), 8765);
    primary.identity.pid = 4242;
    let sender = Sender::new(Via::Cli, None).actor(Actor::User);
    let calls = calls();
    let told = calls.as_array().unwrap().iter().filter_map(|told| {
        let [method, name] = [0, 1].map(|at| told[at].as_str().unwrap());
        let method = Method::named(&format!("nudge.{method}")).unwrap();
        clock.set(clock.now() + TimeDelta::minutes(1));
        let answer = call(&primary, &sender.caller(), method, &told[2].to_string());
        Some(Example {
            method,
            name: name.to_owned(),
            params: told[2].clone(),
            result: serde_json::from_str(answer.ok()?.get()).ok()?,
        })
    });
    told.collect()
}

/// The calls of the story: a method, what the call is for, and its params.
fn calls() -> Value {
    let dev = json!({"branch": "dev", "cwd": "/work/http-proxy"});
    let build = json!({"component": "http-proxy", "key": "build", "context": dev});
    json!([
        ["set_hint", "a build command for one branch", {
            "component": "http-proxy", "key": "build",
            "value": {"type": "command", "cmd": "docker compose build router"},
            "meta": {"reason": "custom router image", "tags": ["build"], "scope": {"branch": "dev"}},
        }],
        ["get_hint", "how to build here", build],
        ["query", "all that is known about building", {"tags": ["build"], "context": dev}],
        ["bump", "it worked", build],
        ["list_components", "the keys of a component", {"component": "http-proxy"}],
        ["prompt_block", "what applies here", {"context": dev, "budget": 60}],
        ["export", "everything", {"format": "json"}],
        ["import", "a seed", {
            "payload": {
                "schema_version": "1.0",
                "components": {"api": {"hints": {"test": {"value": "make test"}}}},
            },
        }],
        ["hello", "who is there", {}],
        ["set_context", "what is being worked on", {"sets": {"files": ["src/router.rs"], "ports": [8080]}}],
        ["get_context", "the same, for who joins", {}],
        ["propose", "a test command that worked after another failed", {
            "component": "http-proxy", "key": "test", "value": "make test JOBS=1",
            "why": "`make test` failed, this worked",
        }],
        ["list_proposals", "what waits", {}],
        ["accept", "a good one", {"id": 1}],
        ["propose", "one that is not so good", {
            "component": "http-proxy", "key": "lint", "value": "make lint || true",
            "why": "`make lint` failed, this worked",
        }],
        ["reject", "a bad one", {"id": 2}],
        ["on_event", "a hook tells that a command worked", {
            "event": "after_command", "host": "claude", "command": "make test JOBS=1", "ok": true, "context": dev,
        }],
        ["stats", "how much there is", {}],
        ["status", "how it is doing", {}],
        ["delete_hint", "it was wrong", {"component": "http-proxy", "key": "build", "scope": {"branch": "dev"}}],
        ["undo", "it was not", {}],
        ["stop", "the end", {}],
        ["delete_hints", "what would go", {"component": "http-*", "key": "*", "all": true, "dry_run": true}],
        ["mv", "a better name", {"component": "http-proxy", "key": "build", "to": "compile"}],
    ])
}
