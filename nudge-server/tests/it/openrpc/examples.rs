//! The examples: a little story that is told to a store of its own, so that what
//! the document shows is what a server answers.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta};
use nudge::{Actor, Clock, Config, ManualClock, Operation, Via};
use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::primary::operations::{Method, ServerOperation};
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

pub(super) struct Example {
    pub(super) method: Method,
    pub(super) name: &'static str,
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
    let calls = calls().into_iter().chain(more());
    let told = calls.filter_map(|(method, name, params)| {
        clock.set(clock.now() + TimeDelta::minutes(1));
        let answer = call(&primary, &sender.caller(), method, &params.to_string());
        let result = serde_json::from_str(answer.ok()?.get()).ok()?;
        Some(Example {
            method,
            name,
            params,
            result,
        })
    });
    told.collect()
}

fn calls() -> Vec<(Method, &'static str, Value)> {
    let dev = json!({"branch": "dev", "cwd": "/work/http-proxy"});
    vec![
        (
            Operation::SetHint.into(),
            "a build command for one branch",
            json!({
                "component": "http-proxy", "key": "build",
                "value": {"type": "command", "cmd": "docker compose build router"},
                "meta": {"reason": "custom router image", "tags": ["build"], "scope": {"branch": "dev"}},
            }),
        ),
        (
            Operation::GetHint.into(),
            "how to build here",
            json!({"component": "http-proxy", "key": "build", "context": dev}),
        ),
        (
            Operation::Query.into(),
            "all that is known about building",
            json!({"tags": ["build"], "context": dev}),
        ),
        (
            Operation::Bump.into(),
            "it worked",
            json!({"component": "http-proxy", "key": "build", "context": dev}),
        ),
        (
            Operation::ListComponents.into(),
            "the keys of a component",
            json!({"component": "http-proxy"}),
        ),
        (
            Operation::PromptBlock.into(),
            "what applies here",
            json!({"context": dev, "budget": 60}),
        ),
        (
            Operation::Export.into(),
            "everything",
            json!({"format": "json"}),
        ),
        (
            Operation::Import.into(),
            "a seed",
            json!({
                "payload": {
                    "schema_version": "1.0",
                    "components": {"api": {"hints": {"test": {"value": "make test"}}}},
                },
            }),
        ),
        (ServerOperation::Hello.into(), "who is there", json!({})),
        (
            Operation::SetContext.into(),
            "what is being worked on",
            json!({"sets": {"files": ["src/router.rs"], "ports": [8080]}}),
        ),
        (
            Operation::GetContext.into(),
            "the same, for who joins",
            json!({}),
        ),
        (
            Operation::Propose.into(),
            "a test command that worked after another failed",
            json!({
                "component": "http-proxy", "key": "test", "value": "make test JOBS=1",
                "why": "`make test` failed, this worked"
            }),
        ),
        (Operation::ListProposals.into(), "what waits", json!({})),
        (Operation::Accept.into(), "a good one", json!({"id": 1})),
        (
            Operation::Propose.into(),
            "one that is not so good",
            json!({
                "component": "http-proxy", "key": "lint", "value": "make lint || true",
                "why": "`make lint` failed, this worked"
            }),
        ),
        (Operation::Reject.into(), "a bad one", json!({"id": 2})),
        (
            Operation::OnEvent.into(),
            "a hook tells that a command worked",
            json!({"event": "after_command", "host": "claude", "command": "make test JOBS=1", "ok": true, "context": dev}),
        ),
        (Operation::GetStats.into(), "how much there is", json!({})),
        (ServerOperation::Status.into(), "how it is doing", json!({})),
        (
            Operation::DeleteHint.into(),
            "it was wrong",
            json!({"component": "http-proxy", "key": "build", "scope": {"branch": "dev"}}),
        ),
        (ServerOperation::Undo.into(), "it was not", json!({})),
        (ServerOperation::Stop.into(), "the end", json!({})),
    ]
}

fn more() -> [(Method, &'static str, Value); 2] {
    let all = json!({"component": "http-*", "key": "*", "all": true, "dry_run": true});
    let name = json!({"component": "http-proxy", "key": "build", "to": "compile"});
    [
        (ServerOperation::DeleteHints.into(), "what would go", all),
        (ServerOperation::Mv.into(), "a better name", name),
    ]
}
