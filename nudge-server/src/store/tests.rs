//! A memory that is written, left and opened again.

mod answers;
mod files;
mod forgetting;
mod memory;
mod sessions;
mod told;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use nudge::{Answer, Caller, Change, Config, Error, Nudge, SetHint, Sink};
use rusqlite::Connection;
use serde_json::Value;

use super::memory::Memory;

const REPO: &str = "git:github.com/acme/api";

/// A time of a day.
fn at(time: &str) -> DateTime<Utc> {
    format!("2026-11-04T{time}:00Z").parse().unwrap()
}

/// A store whose changes are written to a memory.
struct Store {
    nudge: Nudge,
    memory: Arc<Memory>,
    /// What the user is told after it was opened.
    notices: Vec<String>,
    /// The kinds of the changes that were written.
    kinds: Arc<Mutex<Vec<String>>>,
}

struct Writer(Arc<Memory>, Arc<Mutex<Vec<String>>>);

impl Sink for Writer {
    fn accept(&self, by: &Caller<'_>, all: &[Change], answer: &Answer<'_>) -> Result<(), Error> {
        let kind = |change: &Change| serde_json::to_value(&change.kind).unwrap()["what"].take();
        let kinds = all.iter().map(|change| kind(change).to_string());
        self.1.lock().unwrap().extend(kinds);
        self.0.accept(by, all, answer)
    }
}

impl Store {
    fn open(folder: &Path) -> Store {
        let (memory, loaded) = Memory::open(folder, at("10:00")).unwrap();
        let (memory, kinds) = (Arc::new(memory), Arc::default());
        let config = Config {
            keep: true,
            ..Config::default()
        };
        let writer = Writer(Arc::clone(&memory), Arc::clone(&kinds));
        let nudge = Nudge::new(config).with_sink(writer);
        nudge.pin_clock(Some("2026-11-04T10:00:00Z")).unwrap();
        nudge.replay_kinds(loaded.changes);
        nudge.resume(at("10:00"), loaded.last_change);
        Store {
            nudge,
            memory,
            notices: loaded.notices,
            kinds,
        }
    }

    /// Sets a hint as the user does.
    fn set(&self, key: &str, value: &str) {
        let set = SetHint::new("api", key, value).repo(REPO);
        self.nudge.set_hint(set).unwrap();
    }

    fn later(&self, time: &str) {
        let time = format!("2026-11-04T{time}:00Z");
        self.nudge.pin_clock(Some(&time)).unwrap();
    }

    /// What stands in it, in an order of its own.
    fn standing(&self) -> Vec<String> {
        self.nudge.standing(|changes| {
            let kinds = changes.iter().map(|change| &change.kind);
            let mut all: Vec<String> = kinds
                .map(|kind| serde_json::to_string(kind).unwrap())
                .collect();
            all.sort();
            all
        })
    }

    fn keys(&self) -> Vec<String> {
        let all = self.standing();
        let all = all.iter().map(|it| serde_json::from_str(it).unwrap());
        let all: Vec<Value> = all.collect();
        let set = all.iter().filter(|change| change["what"] == "set");
        set.map(|change| change["key"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Whether a text is in a file of a folder.
fn holds(folder: &Path, text: &str) -> bool {
    let entries = fs::read_dir(folder).unwrap();
    let mut bytes = entries.map(|entry| fs::read(entry.unwrap().path()).unwrap());
    bytes.any(|bytes| String::from_utf8_lossy(&bytes).contains(text))
}

/// How many rows a table has of a memory that nobody has open.
fn rows(folder: &Path, table: &str) -> i64 {
    let file = Connection::open(folder.join("nudge.db")).unwrap();
    let sql = format!("SELECT count(*) FROM {table}");
    file.query_row(&sql, [], |row| row.get(0)).unwrap()
}

/// Changes the file of a memory that nobody has open.
fn tamper(folder: &Path, sql: &str) {
    let file = Connection::open(folder.join("nudge.db")).unwrap();
    file.execute_batch(sql).unwrap();
}
