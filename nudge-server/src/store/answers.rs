//! `Answers`: the last call of each client that changed something, and what it was answered.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use nudge::{Change, ChangeKind, Error, ErrorKind, Name};
use serde_json::value::RawValue;

/// How many clients are remembered, and for how many milliseconds after their last call.
pub(super) const KEPT: usize = 1024;
pub(super) const KEPT_FOR: i64 = 10 * 60 * 1000;

/// The most bytes of one answer that are kept, and of all together.
pub(super) const MOST_OF_ONE: usize = 64 * 1024;
const MOST_OF_ALL: usize = 4 * 1024 * 1024;

/// The clients with the last call of each.
///
/// A call that is repeated because its answer was lost gets it from here, so that
/// nothing is done twice.
#[derive(Debug, Default)]
pub(super) struct Answers {
    by_client: HashMap<Arc<str>, Answered>,
}

/// The last call of a client.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    pub(super) number: u64,
    /// What tells it from another.
    pub(super) print: String,
    /// Absent where it showed what is gone.
    pub(super) result: Option<Box<RawValue>>,
    /// The slots that it shows.
    pub(super) slots: Vec<(Name, Name)>,
    /// When it was made, in milliseconds since 1970.
    pub(super) at: i64,
}

impl Answered {
    fn bytes(&self) -> usize {
        self.result.as_ref().map_or(0, |result| result.get().len())
    }
}

/// What a change does to the value that stood in its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// It was replaced, and may stay for a while.
    Replaced,
    /// It is gone, and nothing may show it in a second.
    Gone,
}

impl Fate {
    pub(super) fn of(change: &ChangeKind) -> Option<Fate> {
        match change {
            ChangeKind::Delete(_) | ChangeKind::Clear => Some(Fate::Gone),
            ChangeKind::Set { before, hint, .. } if hint.is_secret() && *before > 0 => {
                Some(Fate::Gone)
            }
            ChangeKind::Set {
                value_changed: true,
                ..
            }
            | ChangeKind::Expire(_)
            | ChangeKind::Dismiss { .. } => Some(Fate::Replaced),
            _ => None,
        }
    }
}

/// The client and the number of a request id: `<client>-<number>`. Another id is a
/// client of its own.
pub(super) fn split(id: &str) -> (&str, u64) {
    id.rsplit_once('-')
        .filter(|(client, digits)| !client.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .and_then(|(client, digits)| Some((client, digits.parse().ok()?)))
        .unwrap_or((id, 0))
}

impl Answers {
    /// What a call was answered, or why it cannot be answered again; `None` where it was
    /// not made.
    pub(super) fn get(&self, id: &str, print: &str) -> Option<Result<Box<RawValue>, Error>> {
        let (client, number) = split(id);
        let known = self
            .by_client
            .get(client)
            .filter(|known| known.number >= number)?;
        let is_same = known.number == number && known.print == print;
        Some(match &known.result {
            Some(result) if is_same => Ok(result.clone()),
            None if is_same => Err(Error::new(
                ErrorKind::Unavailable,
                "the call succeeded, but its result is gone; query again",
            )),
            _ => {
                let words =
                    format!("request number {number} was already used; numbers must increase");
                Err(Error::new(ErrorKind::Invalid, words))
            }
        })
    }

    /// Keeps the answer of a client's last call. Of too many, those that called longest ago are
    /// forgotten.
    pub(super) fn keep(&mut self, client: &str, answered: Answered) {
        let now = answered.at;
        self.by_client.insert(client.into(), answered);
        self.by_client.retain(|_, known| now - known.at <= KEPT_FOR);
        let bytes = |all: &HashMap<_, Answered>| all.values().map(Answered::bytes).sum::<usize>();
        while self.by_client.len() > KEPT || bytes(&self.by_client) > MOST_OF_ALL {
            // Of those that called at the same time the one that is kept now stays.
            let age = |(name, known): &(&Arc<str>, &Answered)| (known.at, ***name == *client);
            let oldest = self.by_client.iter().min_by_key(age);
            let Some(oldest) = oldest.map(|(name, _)| Arc::clone(name)) else {
                return;
            };
            self.by_client.remove(&oldest);
        }
    }

    /// The clients whose answers show values that are gone after some changes.
    pub(super) fn showing(&self, changes: &[Change]) -> Vec<Arc<str>> {
        let is_gone = |change: &&Change| Fate::of(&change.kind) == Some(Fate::Gone);
        let gone = changes.iter().filter(is_gone);
        let is_cleared = gone.clone().any(|change| change.kind == ChangeKind::Clear);
        let gone: HashSet<(&Name, &Name)> = gone.filter_map(|change| change.kind.slot()).collect();
        if gone.is_empty() && !is_cleared {
            return Vec::new();
        }
        let shows = |known: &Answered| {
            let mut slots = known.slots.iter();
            is_cleared || slots.any(|(component, key)| gone.contains(&(component, key)))
        };
        let clients = self.by_client.iter().filter(|(_, known)| shows(known));
        clients.map(|(client, _)| Arc::clone(client)).collect()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&Arc<str>, &Answered)> {
        self.by_client.iter()
    }

    /// Forgets what those clients were answered.
    pub(super) fn empty(&mut self, clients: &[Arc<str>]) {
        for client in clients {
            if let Some(known) = self.by_client.get_mut(client) {
                known.result = None;
            }
        }
    }
}
