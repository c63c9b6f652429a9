//! `Clients`: what each client ran and was told lately.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, TimeDelta, Utc};

use super::line::CommandLine;
use super::step::Step;

/// How many clients are remembered.
const MOST_CLIENTS: usize = 64;

/// How many commands of each.
const MOST_COMMANDS: usize = 50;

/// The longest of them.
const LONGEST_COMMAND: usize = 1024;

/// How many texts a client is told in [`WITHIN`].
const MOST_TEXTS: usize = 3;

/// For how long a client is not told of a hint once more.
const WITHIN: TimeDelta = TimeDelta::minutes(10);

/// How long after a failure a success is taken for its cure.
const CURE: TimeDelta = TimeDelta::minutes(30);

/// What makes two places the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) repo: Option<String>,
    pub(crate) cwd: Option<String>,
}

/// A command that was run, without what looks like a credential.
#[derive(Debug, Clone)]
pub(crate) struct Ran {
    pub(crate) at: DateTime<Utc>,
    pub(crate) line: CommandLine,
    pub(crate) step: Option<Step>,
    pub(crate) spot: Spot,
    pub(crate) worked: bool,
}

/// What is remembered of one client.
#[derive(Default)]
pub(crate) struct Client {
    seen: u64,
    /// Oldest first.
    ran: VecDeque<Ran>,
    /// When it was told what, oldest first.
    told: VecDeque<(DateTime<Utc>, u64)>,
}

/// All clients that are remembered.
#[derive(Default)]
pub(crate) struct Clients {
    known: HashMap<u64, Client>,
    events: u64,
}

impl Clients {
    /// What is remembered of a client, which is the latest now; who was silent
    /// for longest is forgotten.
    pub(crate) fn client(&mut self, name: (&str, &str)) -> &mut Client {
        self.events += 1;
        let id = print(&name);
        if self.known.len() >= MOST_CLIENTS && !self.known.contains_key(&id) {
            let oldest = self.known.iter().min_by_key(|(_, client)| client.seen);
            let oldest = oldest.map(|(id, _)| *id);
            oldest.and_then(|oldest| self.known.remove(&oldest));
        }
        let client = self.known.entry(id).or_default();
        client.seen = self.events;
        client
    }

    /// Forgets a client.
    pub(crate) fn forget(&mut self, name: (&str, &str)) {
        self.known.remove(&print(&name));
    }
}

impl Client {
    /// Remembers a command, unless it is very long.
    pub(crate) fn note(&mut self, ran: Ran) {
        if ran.line.text.len() > LONGEST_COMMAND {
            return;
        }
        self.ran.push_back(ran);
        if self.ran.len() > MOST_COMMANDS {
            self.ran.pop_front();
        }
    }

    /// When this very command failed here, if it has not worked since.
    pub(crate) fn failed_here(&self, line: &CommandLine, spot: &Spot) -> Option<DateTime<Utc>> {
        let is_same = |ran: &&Ran| ran.line.text == line.text && ran.spot == *spot;
        let last = self.ran.iter().rev().find(is_same)?;
        (!last.worked).then_some(last.at)
    }

    /// The commands of a step that failed here a while ago or less, the latest first.
    pub(crate) fn failures(&self, step: Step, spot: &Spot, now: DateTime<Utc>) -> Vec<Ran> {
        let is_cured = |ran: &&Ran| !(ran.worked && ran.step == Some(step) && ran.spot == *spot);
        // What worked since needs no cure.
        let since = self.ran.iter().rev().take_while(is_cured);
        let failures = since.filter(|ran| ran.step == Some(step) && ran.spot == *spot);
        let recent = failures.filter(|ran| now - ran.at <= CURE);
        recent.cloned().collect()
    }

    /// Whether the client may be told something now, and counts it as told.
    pub(crate) fn may_tell(&mut self, what: &impl Hash, now: DateTime<Utc>) -> bool {
        let is_over = |at: DateTime<Utc>| now - at >= WITHIN;
        while self.told.front().is_some_and(|(at, _)| is_over(*at)) {
            self.told.pop_front();
        }
        let what = print(what);
        let is_new = self.told.iter().all(|(_, told)| *told != what);
        let may = is_new && self.told.len() < MOST_TEXTS;
        if may {
            self.told.push_back((now, what));
        }
        may
    }
}

fn print(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
