//! The examples: a little story that is told to a store of its own, so that what
//! the document shows is what a server answers.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta};
use nudge::{Clock, Config, ManualClock, Origin};
use serde_json::{Value, json};

use crate::primary::Primary;
use crate::primary::call::call;
use crate::primary::method::Method;

/// One call and its answer.
pub(super) struct Example {
    pub(super) method: Method,
    pub(super) name: &'static str,
    pub(super) params: Value,
    pub(super) result: Value,
}

/// When the story begins: 2025-11-04 at ten in the morning.
const START: i64 = 1_762_250_400;

/// The story, with one call of each method but the one that tells it.
pub(super) fn examples() -> Vec<Example> {
    let clock = Arc::new(ManualClock::at(
        DateTime::from_timestamp(START, 0).unwrap_or_default(),
    ));
    let config = Config {
        session_id: Some("s-1".to_owned()),
        ..Config::default()
    };
    let mut primary = Primary::new(config, Arc::clone(&clock), 8765);
    primary.identity.pid = 4242;
    let origin = Origin::new("http");
    let calls = calls();
    let told = calls.into_iter().filter_map(|(method, name, params)| {
        clock.set(clock.now() + TimeDelta::minutes(1));
        let answer = call(&primary, Some(&origin), method.name(), &params.to_string());
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

fn calls() -> [(Method, &'static str, Value); 20] {
    let dev = json!({"branch": "dev", "cwd": "/work/http-proxy"});
    [
        (
            Method::SetHint,
            "a build command for one branch",
            json!({
                "component": "http-proxy", "key": "build",
                "value": {"type": "command", "cmd": "docker compose build router"},
                "meta": {"reason": "custom router image", "tags": ["build"], "scope": {"branch": "dev"}},
            }),
        ),
        (
            Method::GetHint,
            "how to build here",
            json!({"component": "http-proxy", "key": "build", "context": dev}),
        ),
        (
            Method::Query,
            "all that is known about building",
            json!({"tags": ["build"], "context": dev}),
        ),
        (
            Method::Bump,
            "it worked",
            json!({"component": "http-proxy", "key": "build", "context": dev}),
        ),
        (
            Method::ListComponents,
            "the keys of a component",
            json!({"component": "http-proxy"}),
        ),
        (
            Method::PromptBlock,
            "what applies here",
            json!({"context": dev, "budget": 60}),
        ),
        (Method::Export, "everything", json!({"format": "json"})),
        (
            Method::Import,
            "a seed",
            json!({
                "payload": {
                    "schema_version": "1.0",
                    "components": {"api": {"hints": {"test": {"value": "make test"}}}},
                },
            }),
        ),
        (Method::Hello, "who is there", json!({})),
        (
            Method::SetContext,
            "what is being worked on",
            json!({"sets": {"files": ["src/router.rs"], "ports": [8080]}}),
        ),
        (Method::GetContext, "the same, for who joins", json!({})),
        (
            Method::Propose,
            "a test command that worked after another failed",
            json!({
                "component": "http-proxy", "key": "test", "value": "make test JOBS=1",
                "why": "`make test` failed, this worked"
            }),
        ),
        (Method::ListProposals, "what waits", json!({})),
        (Method::Accept, "a good one", json!({"id": 1})),
        (
            Method::Propose,
            "one that is not so good",
            json!({
                "component": "http-proxy", "key": "lint", "value": "make lint || true",
                "why": "`make lint` failed, this worked"
            }),
        ),
        (Method::Reject, "a bad one", json!({"id": 2})),
        (
            Method::OnEvent,
            "a hook tells that a command worked",
            json!({"event": "after_command", "host": "claude", "command": "make test JOBS=1", "ok": true, "context": dev}),
        ),
        (Method::Status, "how it is doing", json!({})),
        (
            Method::DeleteHint,
            "it was wrong",
            json!({"component": "http-proxy", "key": "build", "scope": {"branch": "dev"}}),
        ),
        (Method::Stop, "the end", json!({})),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_of_the_story_succeeds() {
        let told: Vec<Method> = examples().iter().map(|told| told.method).collect();
        let calls: Vec<Method> = calls().iter().map(|(method, ..)| *method).collect();
        assert_eq!(told, calls);
        let untold: Vec<Method> = Method::ALL
            .into_iter()
            .filter(|method| !told.contains(method))
            .collect();
        assert_eq!(untold, [Method::Discover]);
    }
}
