//! `Clients`: which commands each client ran, and which hints it was shown lately.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use chrono::{DateTime, TimeDelta, Utc};

use super::line::CommandLine;
use super::step::Step;
use crate::model::list::push;
use crate::model::rate_limit::{RateLimit, print};
use crate::scope::context::Context;

/// How many clients are remembered.
const MOST_CLIENTS: usize = 64;

/// How many commands of each.
const MOST_COMMANDS: usize = 50;

/// The longest of them.
const LONGEST_COMMAND: usize = 1024;

/// How many ways are remembered that a client was told and that are open.
const MOST_TOLD: usize = 16;

/// How long a client is not reminded of the same hint again, and of how many it is.
const REMINDED_WITHIN: TimeDelta = TimeDelta::hours(1);
const MOST_REMINDED: usize = 100;

/// How many commands and proposals are known that somebody was told of.
const MOST_REMINDED_OF: usize = 1000;

/// How many commands are remembered that are under way.
const MOST_BEGUN: usize = 16;

/// What makes two locations the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocationKey {
    pub(crate) repo: Option<String>,
    pub(crate) cwd: Option<String>,
}

/// A command that was run, without what looks like a credential.
#[derive(Debug, Clone)]
pub(crate) struct CommandRun {
    pub(crate) line: CommandLine,
    pub(crate) location: LocationKey,
    pub(crate) worked: bool,
}

/// A command that a client was told, until one of its kind runs.
pub(crate) struct Way {
    pub(crate) repo: Option<String>,
    pub(crate) folder: String,
    pub(crate) kind: Option<Step>,
    pub(crate) form: String,
    /// What was held back for it.
    pub(crate) held: Option<String>,
}

/// A failure that nothing has helped yet, in an agent session.
pub(crate) struct Open {
    pub(crate) repo: String,
    pub(crate) folder: String,
    pub(crate) form: String,
    pub(crate) kind: Option<Step>,
    /// What its error is known by.
    pub(crate) error: String,
    pub(crate) could_not_run: bool,
    /// How many commands came since, which of them ended ok, and whether a file was changed.
    pub(crate) since: usize,
    pub(crate) between: Vec<String>,
    pub(crate) is_edited: bool,
}

/// What is remembered of one client.
#[derive(Default)]
pub(crate) struct Client {
    seen: u64,
    /// Oldest first.
    runs: VecDeque<CommandRun>,
    /// Those that it was reminded of.
    reminded: Option<RateLimit<DateTime<Utc>>>,
    /// What it was told when its session started, and when that was.
    start: Option<(DateTime<Utc>, String)>,
    /// Whether that is gone, and it was not told again.
    has_lost: bool,
    /// What it was told and has not followed yet, oldest first.
    told: Vec<Way>,
    /// What failed in its session and is open.
    pub(crate) open: Vec<Open>,
    /// What it has begun, by the host's name for it and the command, and where.
    begun: VecDeque<((Option<String>, String), Context)>,
    /// The forms that it was warned of.
    pub(crate) warned: HashSet<u64>,
    /// How many commands it ran since it was last looked at what to remind it of.
    since: u32,
}

/// What a host's agent is to know at the next event of its session, or of any where the session
/// is not known.
pub(crate) struct Note {
    pub(crate) host: String,
    pub(crate) session: Option<String>,
    pub(crate) text: String,
}

/// All clients that are remembered.
#[derive(Default)]
pub(crate) struct Clients {
    notes: Vec<Note>,
    known: HashMap<u64, Client>,
    events: u64,
    /// The commands and proposals that some client was told of.
    told: HashSet<u64>,
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

    /// Whether nobody was told of a proposal yet; if so, somebody is now.
    pub(crate) fn may_tell_of(&mut self, proposal: u64) -> bool {
        self.is_first(&("proposal", proposal))
    }

    /// Whether nobody was reminded of a command in a repository yet; if so, somebody is now.
    pub(crate) fn may_remind_of(&mut self, run: &CommandRun) -> bool {
        self.is_first(&("command", &run.location.repo, &run.line.text))
    }

    fn is_first(&mut self, what: &impl Hash) -> bool {
        if self.told.len() >= MOST_REMINDED_OF {
            self.told.clear();
        }
        self.told.insert(print(what))
    }

    /// Remembers what a client is to know.
    pub(crate) fn leave(&mut self, note: Note) {
        self.notes.push(note);
        let old = self.notes.len().saturating_sub(MOST_CLIENTS);
        self.notes.drain(..old);
    }

    /// Takes what a client is to know.
    pub(crate) fn take_notes(&mut self, (host, session): (&str, &str)) -> Vec<String> {
        let is_meant = |note: &mut Note| {
            note.host == host && note.session.as_deref().is_none_or(|known| known == session)
        };
        let notes = self.notes.extract_if(.., is_meant);
        notes.map(|note| note.text).collect()
    }

    pub(crate) fn forget(&mut self, name: (&str, &str)) {
        self.known.remove(&print(&name));
    }
}

impl Client {
    /// Remembers a command, unless it is very long.
    pub(crate) fn remember(&mut self, run: CommandRun) {
        if run.line.text.len() <= LONGEST_COMMAND {
            push(&mut self.runs, run, MOST_COMMANDS);
        }
    }

    /// Remembers where a command begins: some hosts say afterwards where it led.
    pub(crate) fn begin(&mut self, call: (Option<String>, String), at: Context) {
        // One that was held back, or told of twice, has not ended.
        self.begun.retain(|(begun, _)| *begun != call);
        push(&mut self.begun, (call, at), MOST_BEGUN);
    }

    /// Where a command began that has ended.
    pub(crate) fn take_begun(&mut self, call: &(Option<String>, String)) -> Option<Context> {
        let at = self.begun.iter().position(|(begun, _)| begun == call)?;
        self.begun.remove(at).map(|(_, context)| context)
    }

    /// Notes that it changed a file: what works then may work because of that.
    pub(crate) fn edits(&mut self) {
        self.open.iter_mut().for_each(|open| open.is_edited = true);
    }

    /// Takes the ways that it was told and that are meant now.
    pub(crate) fn take_ways(&mut self, is_meant: impl Fn(&Way) -> bool) -> Vec<Way> {
        self.told.extract_if(.., |way| is_meant(way)).collect()
    }

    /// The commands that worked in a place more than once, the newest first, after every so many
    /// commands; none at any other.
    pub(crate) fn take_proven(&mut self, after: u32, location: &LocationKey) -> Vec<CommandRun> {
        self.since += 1;
        if self.since < after.max(1) {
            return Vec::new();
        }
        self.since = 0;
        let is_here = |run: &&CommandRun| run.worked && run.location == *location;
        let here: Vec<&CommandRun> = self.runs.iter().rev().filter(is_here).collect();
        let is_again = |(index, run): &(usize, &&CommandRun)| {
            let is_same = |other: &&&CommandRun| other.line.text == run.line.text;
            here.iter().take(index + 1).filter(is_same).count() == 2
        };
        let again = here.iter().enumerate().filter(is_again);
        again.map(|(_, run)| CommandRun::clone(run)).collect()
    }

    /// Remembers what it is told when its session starts.
    pub(crate) fn start(&mut self, at: DateTime<Utc>, text: &str) {
        self.start = Some((at, text.to_owned()));
        self.has_lost = false;
    }

    /// Remembers that it does not know any more what it was told then.
    pub(crate) fn lose_start(&mut self) {
        (self.start, self.has_lost) = (None, true);
    }

    /// Whether it has to be told again; after that it counts as told.
    pub(crate) fn take_loss(&mut self) -> bool {
        std::mem::take(&mut self.has_lost)
    }

    /// Whether the client may be reminded of a hint with this name now; if so, it counts as
    /// reminded.
    pub(crate) fn may_remind(&mut self, hint: u64, name: &str, now: DateTime<Utc>) -> bool {
        let start = self.start.as_ref();
        let start = start.filter(|(at, _)| now - *at < REMINDED_WITHIN);
        let is_told = start.is_some_and(|(_, text)| text.contains(&format!("] {name}: ")));
        let new = || RateLimit::new(MOST_REMINDED);
        let reminded = self.reminded.get_or_insert_with(new);
        let may = !is_told && reminded.allows(&hint, now);
        if may {
            reminded.count(&hint, now + REMINDED_WITHIN);
        }
        may
    }

    /// Remembers that the client is told a way.
    pub(crate) fn tell(&mut self, way: Way) {
        self.told.push(way);
        let old = self.told.len().saturating_sub(MOST_TOLD);
        self.told.drain(..old);
    }
}
