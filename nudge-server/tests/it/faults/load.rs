//! Clients that write without a pause, and that see by the counts in their answers
//! whether a write was lost or done twice.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use super::member;
use crate::mcp::host::Host;
use crate::process::until;

/// What became of writes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) acknowledged: u64,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    pub(crate) errors: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.errors.extend(other.errors);
    }

    /// Fails unless every write was done once, and there were some.
    pub(crate) fn assert_clean(&self) {
        let clean = Tally {
            acknowledged: self.acknowledged,
            ..Tally::default()
        };
        assert_eq!(*self, clean);
        assert!(self.acknowledged > 0);
    }
}

/// The two kinds of writes, each of which adds one to the version of its hint.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Says something else about a hint.
    Meta,
    /// Sets its value.
    Set,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Meta, Kind::Set];

    fn key(self, writer: &str) -> String {
        match self {
            Kind::Meta => format!("{writer}-meta"),
            Kind::Set => format!("{writer}-set"),
        }
    }

    fn count(said: &Value) -> Option<u64> {
        let hint = said.get("result")?.get("hint")?;
        hint.get("version")?.as_u64()
    }

    fn request(self, writer: &str) -> (&'static str, Value) {
        let mut params = json!({"component": "load", "key": self.key(writer), "value": "begun"});
        match self {
            Kind::Meta => params["meta"] = json!({"priority": 7}),
            Kind::Set => params["value"] = "a line of about the length that hints have".into(),
        }
        ("nudge.set_hint", params)
    }
}

/// One client and what it knows of its writes.
pub(crate) struct Writer {
    name: String,
    runtime: PathBuf,
    host: Host,
    /// How often each kind was acknowledged.
    counts: [u64; 2],
    pub(crate) tally: Tally,
}

impl Writer {
    pub(crate) fn new(runtime: &Path, name: &str) -> Writer {
        let mut writer = Writer {
            name: name.to_owned(),
            runtime: runtime.to_owned(),
            host: member(runtime),
            counts: [1, 1],
            tally: Tally::default(),
        };
        for kind in Kind::ALL {
            let key = kind.key(name);
            let params = json!({"component": "load", "key": key, "value": "begun"});
            let said = writer.host.request("nudge.set_hint", params);
            assert!(said.get("result").is_some(), "{said}");
        }
        writer
    }

    /// Writes once in each way.
    pub(crate) fn write(&mut self) {
        for kind in Kind::ALL {
            let (method, params) = kind.request(&self.name);
            match self.host.ask(method, params) {
                Some(said) => self.note(kind, 1..=1, &said),
                None => self.come_back(kind),
            }
        }
    }

    /// Reads what was written, and what there is besides.
    fn read(&mut self) {
        let key = Kind::Meta.key(&self.name);
        let params = json!({"component": "load", "key": key});
        if let Some(said) = self.host.ask("nudge.get_hint", params) {
            self.note(Kind::Meta, 0..=0, &said);
        }
        let said = self
            .host
            .ask("nudge.query", json!({"regex": "load|docker"}));
        if let Some(said) = said.filter(|said| said.get("result").is_none()) {
            self.tally.errors.push(said.to_string());
        }
    }

    /// Reads what the store says, and compares it with what was acknowledged.
    pub(crate) fn look(&mut self, through: &mut Host) {
        for kind in Kind::ALL {
            let params = json!({"component": "load", "key": kind.key(&self.name)});
            let said = through.request("nudge.get_hint", params);
            self.note(kind, 0..=0, &said);
        }
    }

    /// Starts its server again, as its host would. The write that was under way
    /// may have been done or not.
    fn come_back(&mut self, under_way: Kind) {
        self.host = member(&self.runtime);
        for kind in Kind::ALL {
            let params = json!({"component": "load", "key": kind.key(&self.name)});
            let said = self.host.request("nudge.get_hint", params);
            let most = u64::from(kind as u8 == under_way as u8);
            self.note(kind, 0..=most, &said);
        }
    }

    /// Compares a count with the one before it.
    fn note(&mut self, kind: Kind, allowed: std::ops::RangeInclusive<u64>, said: &Value) {
        let Some(count) = Kind::count(said) else {
            let words = format!("{} {kind:?}: {said}", self.name);
            return self.tally.errors.push(words);
        };
        let known = &mut self.counts[kind as usize];
        self.tally.acknowledged += count.saturating_sub(*known).min(*allowed.end());
        self.tally.lost += (*known + allowed.start()).saturating_sub(count);
        self.tally.doubled += count.saturating_sub(*known + allowed.end());
        *known = count;
    }
}

/// Several writers, each in a thread, until it is ended.
pub(crate) struct Load {
    is_over: Arc<AtomicBool>,
    rounds: Vec<Arc<AtomicU64>>,
    writers: Vec<JoinHandle<Writer>>,
}

impl Load {
    pub(crate) fn start(runtime: &Path, writers: usize) -> Load {
        Load::start_as(runtime, writers, "w")
    }

    /// Starts writers with names that begin alike, whose keys are their own.
    pub(crate) fn start_as(runtime: &Path, writers: usize, name: &str) -> Load {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut load = Load {
            is_over,
            rounds: Vec::new(),
            writers: Vec::new(),
        };
        for number in 0..writers {
            let mut writer = Writer::new(runtime, &format!("{name}{number}"));
            let (is_over, rounds) = (Arc::clone(&load.is_over), Arc::new(AtomicU64::new(0)));
            load.rounds.push(Arc::clone(&rounds));
            load.writers.push(thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    writer.write();
                    writer.read();
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
                writer
            }));
        }
        load
    }

    /// Waits until every writer has written some more.
    pub(crate) fn goes_on(&self) {
        for rounds in &self.rounds {
            let before = rounds.load(Ordering::Relaxed);
            until("a writer goes on", || {
                rounds.load(Ordering::Relaxed) >= before + 5
            });
        }
    }

    /// Ends it, and gives what became of all writes as the last look shows them.
    pub(crate) fn end(self, through: &mut Host) -> Tally {
        self.is_over.store(true, Ordering::Relaxed);
        let mut tally = Tally::default();
        for writer in self.writers {
            let mut writer = writer.join().unwrap();
            writer.look(through);
            tally.add(writer.tally);
        }
        tally
    }
}
