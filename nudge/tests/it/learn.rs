//! What follows from events, as the tables in `tests/hooks` say it, and what never does.

#![expect(clippy::unwrap_used, reason = "what is set up here is good")]

mod limits;
mod managers;
mod past;
mod stories;
mod tables;
mod told;

use nudge::{Caller, Nudge, SetHint, Via, from_json};
use serde_json::{Value, json};

/// A store whose clock stands still.
pub(super) struct Stage {
    pub(super) nudge: Nudge,
}

impl Stage {
    pub(super) fn new() -> Stage {
        let nudge = Nudge::default();
        nudge.pin_clock(Some("2025-11-04T14:00:00Z")).unwrap();
        Stage { nudge }
    }

    /// What follows from an event, as JSON.
    pub(super) fn react(&self, event: &Value) -> Value {
        let event = from_json(event.to_string().as_bytes()).unwrap();
        serde_json::to_value(self.nudge.on_event(event).unwrap()).unwrap()
    }

    /// Lets the clock stand at a time of that day.
    pub(super) fn at(&self, time: &str) {
        let at = match time.len() {
            5 => format!("2025-11-04T{time}:00Z"),
            _ => time.to_owned(),
        };
        self.nudge.pin_clock(Some(&at)).unwrap();
    }

    /// Sets a hint as the user, or as an agent that works on `api`.
    pub(super) fn set(&self, hint: Value) {
        let agent = Caller::agent("codex-mcp-client/0.166").via(Via::Mcp);
        let by = match hint["meta"]["source"].as_str() {
            Some("agent") => agent.repo("git:acme/api"),
            _ => Caller::user(),
        };
        let request: SetHint = serde_json::from_value(hint).unwrap();
        self.nudge.ask(&by, request).unwrap();
    }
}

/// An event of a client that works on `api`.
pub(super) fn event(what: &str, command: &str) -> Value {
    json!({
        "event": what, "host": "claude", "session": "s1", "command": command,
        "context": {"cwd": "/work/api", "repo": "git:acme/api", "os": "linux"}
    })
}
