//! What is being worked on, as a store keeps it.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::absent::is_false;
use crate::model::host::known_by;
use crate::model::json::likest;
use crate::model::name::Name;
use crate::model::time::{self, Time};

/// The set whose items are files.
pub(crate) const FILES: &str = "files";

/// The set of one item that says what it is all for.
pub(crate) const INTENT: &str = "intent";

/// The set of one item that says what ran last, and how that ended.
pub(crate) const LAST_COMMAND: &str = "last_command";

/// How its item ends where that was in failure, and where not.
pub(crate) const FAILED: &str = " failed";
pub(crate) const WORKED: &str = " worked";

/// For how long a session is silent that has ended without saying so.
const SILENT: TimeDelta = TimeDelta::minutes(30);

/// The sets that everybody knows; others may be named at will.
pub(crate) const KNOWN: [&str; 5] = [FILES, "endpoints", "ports", INTENT, LAST_COMMAND];

/// From which likeness on a name may be meant for another.
const ALIKE: f64 = 0.8;

/// What one agent session, or the user, is working on in a repository: all items with their
/// sets, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WorkingSet {
    /// The repository, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repo: Option<Name>,
    /// The agent session; none is the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Name>,
    /// The program that spoke last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<Name>,
    /// When it last changed.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub at: DateTime<Utc>,
    /// Whether the session has ended since.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ended: bool,
    /// Whether the next session was told of it since.
    #[serde(default, skip_serializing_if = "is_false")]
    pub told: bool,
    /// The items, the oldest first.
    items: Vec<WorkItem>,
}

/// Something that is being worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct WorkItem {
    /// The name of its set.
    set: Name,
    /// What it is.
    item: String,
}

impl WorkingSet {
    /// How many owners have sets; who was silent for longest loses theirs.
    pub const MOST_OWNERS: usize = 64;

    /// Each item with the name of its set.
    #[must_use]
    pub fn items(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.items
            .iter()
            .map(|one| (one.set.as_str(), one.item.as_str()))
    }

    /// Whether both are what the same session works on in the same repository.
    pub(crate) fn has_owner_of(&self, other: &WorkingSet) -> bool {
        self.repo == other.repo && self.session == other.session
    }

    /// Whether it is what the user typed: no agent has our own name and no session.
    pub(crate) fn is_users(&self) -> bool {
        let client = self.client.as_deref().map(known_by);
        self.session.is_none() && client == Some("nudge")
    }

    /// Whether its session has ended, or was silent for so long.
    pub(crate) fn is_over(&self, now: DateTime<Utc>) -> bool {
        self.ended || now - self.at > SILENT
    }

    /// Whether somebody is in the middle of it: they said so, the last command failed, or a file
    /// was changed and nothing has run since.
    pub(crate) fn is_unfinished(&self) -> bool {
        let is_seen = |set: &str| [FILES, LAST_COMMAND].contains(&set);
        let last = self.items().rfind(|(set, _)| is_seen(set));
        self.items().any(|(set, _)| !is_seen(set))
            || last.is_some_and(|(set, item)| set == FILES || item.ends_with(FAILED))
    }

    pub(crate) fn has(&self, name: &Name) -> bool {
        self.items.iter().any(|one| one.set == *name)
    }

    /// Takes a set away.
    pub(crate) fn clear(&mut self, name: &Name) {
        self.items.retain(|one| one.set != *name);
    }

    /// Its owner's, without items.
    pub(crate) fn emptied(&self) -> WorkingSet {
        WorkingSet {
            items: Vec::new(),
            ..self.clone()
        }
    }

    /// Adds an item as the newest, wherever it was.
    pub(crate) fn add(&mut self, set: Name, item: String) {
        let newest = WorkItem { set, item };
        self.items.retain(|known| *known != newest);
        self.items.push(newest);
    }

    /// Lets the oldest go until so many are left, of one set or of all.
    pub(crate) fn trim(
        &mut self,
        most: usize,
        name: Option<&Name>,
        dropped: &mut BTreeMap<Name, Vec<String>>,
    ) {
        let is_meant = |set: &Name| name.is_none_or(|name| name == set);
        let count = self.items.iter().filter(|one| is_meant(&one.set)).count();
        let mut spare = count.saturating_sub(most);
        self.items.retain(|WorkItem { set, item }| {
            let goes = spare > 0 && is_meant(set);
            if goes {
                spare -= 1;
                dropped.entry(set.clone()).or_default().push(item.clone());
            }
            !goes
        });
    }

    pub(crate) fn by_name(&self) -> BTreeMap<Name, Vec<String>> {
        let mut sets: BTreeMap<Name, Vec<String>> = BTreeMap::new();
        for WorkItem { set, item } in &self.items {
            sets.entry(set.clone()).or_default().push(item.clone());
        }
        sets
    }

    /// The set that a name is most like, among those that are known or there.
    pub(crate) fn nearest(&self, name: &str) -> Option<Name> {
        let there = self.items.iter().map(|one| one.set.as_str());
        let known: Vec<&str> = KNOWN.into_iter().chain(there).collect();
        let (nearest, likeness) = likest(name, &known)?;
        (likeness >= ALIKE).then(|| Name::from(nearest))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
