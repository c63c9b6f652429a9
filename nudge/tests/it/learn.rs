//! What follows from events, as the tables in `tests/hooks` say it, and what never does.

mod limits;
mod managers;
mod past;
mod stories;
mod tables;

use std::sync::{Arc, Mutex};

use nudge::{Caller, Config, Nudge, Runs, SetHint, ToldLine, Via, from_json};
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

/// What is written down: rows of runs, and what agents were told as `event: line`.
#[derive(Default)]
pub(super) struct Written {
    pub(super) rows: Mutex<Vec<String>>,
    pub(super) lines: Mutex<Vec<String>>,
}

impl Runs for Written {
    fn read(&self, _: &str) -> Vec<String> {
        self.rows.lock().unwrap().clone()
    }

    fn write(&self, _: &str, rows: Vec<(String, Option<String>)>) {
        let rows = rows.into_iter().filter_map(|(_, row)| row);
        self.rows.lock().unwrap().extend(rows);
    }

    fn told(&self, lines: Vec<ToldLine>) {
        let lines = lines.into_iter().map(|told| {
            assert_eq!(told.host, "claude");
            assert_eq!(told.repo.as_deref(), Some("git:acme/api"));
            format!("{}: {}", told.event, told.line)
        });
        self.lines.lock().unwrap().extend(lines);
    }
}

/// A stage that keeps what it learns, and what is written down there.
pub(super) fn written() -> (Stage, Arc<Written>) {
    let written = Arc::new(Written::default());
    let config = Config {
        keep: true,
        ..Config::default()
    };
    let nudge = Nudge::new(config).with_runs(written.clone());
    let stage = Stage { nudge };
    stage.at("14:00");
    (stage, written)
}

/// An event of a client that works on `api`.
pub(super) fn event(what: &str, command: &str) -> Value {
    json!({
        "event": what, "host": "claude", "session": "s1", "command": command,
        "context": {"cwd": "/work/api", "repo": "git:acme/api", "os": "linux"}
    })
}
