//! `Clients`: which commands each client ran, and which hints it was shown lately.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use chrono::{DateTime, TimeDelta, Utc};

use super::line::CommandLine;
use super::step::Step;
use crate::model::rate_limit::{RateLimit, print};

/// How many clients are remembered.
const MOST_CLIENTS: usize = 64;

/// How many commands of each.
const MOST_COMMANDS: usize = 50;

/// The longest of them.
const LONGEST_COMMAND: usize = 1024;

/// How many hints that a client was told are remembered until it follows them.
const MOST_TELLINGS: usize = 8;

/// How many hints a client is shown in [`SHOWN_WITHIN`].
const MOST_SHOWN: usize = 3;

/// How long a client is not shown the same hint again.
const SHOWN_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// How long after a failure a success counts as its fix.
const FIXED_WITHIN: TimeDelta = TimeDelta::minutes(30);

/// What makes two locations the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocationKey {
    pub(crate) repo: Option<String>,
    pub(crate) cwd: Option<String>,
}

impl LocationKey {
    /// Whether both are in one repository, or, outside of any, in one folder.
    fn is_same_place(&self, other: &LocationKey) -> bool {
        self.repo == other.repo && (self.repo.is_some() || self.cwd == other.cwd)
    }
}

/// A command that was run, without what looks like a credential.
#[derive(Debug, Clone)]
pub(crate) struct CommandRun {
    pub(crate) at: DateTime<Utc>,
    pub(crate) line: CommandLine,
    pub(crate) step: Option<Step>,
    pub(crate) location: LocationKey,
    pub(crate) worked: bool,
}

/// A hint that a client was told when it ran a command, or was about to.
#[derive(Debug, Clone)]
pub(crate) struct Telling {
    /// What the variant is known by.
    pub(crate) hint: u64,
    pub(crate) run: CommandRun,
}

/// What is remembered of one client.
pub(crate) struct Client {
    seen: u64,
    /// Oldest first.
    runs: VecDeque<CommandRun>,
    /// The hints that it was shown.
    shown: RateLimit<DateTime<Utc>>,
    /// Those that it has not followed yet, oldest first.
    tellings: VecDeque<Telling>,
}

impl Default for Client {
    fn default() -> Client {
        Client {
            seen: 0,
            runs: VecDeque::new(),
            shown: RateLimit::new(MOST_SHOWN),
            tellings: VecDeque::new(),
        }
    }
}

/// All clients that are remembered.
#[derive(Default)]
pub(crate) struct Clients {
    known: HashMap<u64, Client>,
    events: u64,
}

impl Clients {
    /// What is remembered of a client. Where there are too many, the one that was
    /// silent for longest is forgotten.
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
    pub(crate) fn remember(&mut self, run: CommandRun) {
        if run.line.text.len() > LONGEST_COMMAND {
            return;
        }
        self.runs.push_back(run);
        if self.runs.len() > MOST_COMMANDS {
            self.runs.pop_front();
        }
    }

    /// When this very command failed here, if it has not worked since.
    pub(crate) fn failed_here(
        &self,
        line: &CommandLine,
        location: &LocationKey,
    ) -> Option<DateTime<Utc>> {
        let is_same = |run: &&CommandRun| run.line.text == line.text && run.location == *location;
        let last = self.runs.iter().rev().find(is_same)?;
        (!last.worked).then_some(last.at)
    }

    /// The commands of a step that failed here recently, the latest first.
    pub(crate) fn failures(
        &self,
        step: Step,
        location: &LocationKey,
        now: DateTime<Utc>,
    ) -> Vec<CommandRun> {
        let is_before_fix = |run: &&CommandRun| {
            !(run.worked && run.step == Some(step) && run.location == *location)
        };
        // What worked since needs no fix.
        let since = self.runs.iter().rev().take_while(is_before_fix);
        let failures = since.filter(|run| run.step == Some(step) && run.location == *location);
        let recent = failures.filter(|run| now - run.at <= FIXED_WITHIN);
        recent.cloned().collect()
    }

    /// Remembers that it was told a hint.
    pub(crate) fn remember_telling(&mut self, telling: Telling) {
        self.tellings.push_back(telling);
        if self.tellings.len() > MOST_TELLINGS {
            self.tellings.pop_front();
        }
    }

    /// Takes out what it was told lately, of one of these hints and of another command than
    /// this in the same place.
    pub(crate) fn take_tellings(&mut self, hints: &[u64], run: &CommandRun) -> Vec<Telling> {
        let is_followed = |telling: &Telling| {
            let told = &telling.run;
            hints.contains(&telling.hint)
                && told.line.text != run.line.text
                && told.location.is_same_place(&run.location)
                && run.at - told.at <= FIXED_WITHIN
        };
        let all = std::mem::take(&mut self.tellings).into_iter();
        let (followed, left): (Vec<_>, Vec<_>) = all.partition(is_followed);
        self.tellings = left.into();
        followed
    }

    /// Whether the client may be shown a hint now; if so, it counts as shown.
    pub(crate) fn may_show(&mut self, hint: &impl Hash, now: DateTime<Utc>) -> bool {
        let may = self.shown.allows(hint, now);
        if may {
            self.shown.count(hint, now + SHOWN_WITHIN);
        }
        may
    }
}
