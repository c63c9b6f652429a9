//! `Mark`: what is remembered of what does not stand: that the user deleted a value, or that a
//! hint is not kept any more.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::stamp::Stamp;
use crate::hint::{Hint, HintValue};
use crate::model::absent::is_false;
use crate::model::name::Name;
use crate::model::rate_limit::lasting_print;
use crate::model::scope::Scope;
use crate::model::time::{self, Time};

/// What is remembered of a value that does not stand under its names or, for other machines, of a
/// hint that is not kept any more.
///
/// The value itself is not in it: what was deleted is to be gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Mark {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The repository; absent for a hint that names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<Name>,
    /// A hash of the value; empty where a hint is not kept any more, whatever its value was.
    pub value: Name,
    /// The scope of that hint; absent where it applied everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Whether the user wants the value again; it stays, so that other machines know.
    #[serde(default, skip_serializing_if = "is_false")]
    pub wanted: bool,
    /// When that was.
    // A change is one flat object, which says itself when it was made.
    #[serde(rename = "marked_at", with = "time")]
    #[schemars(with = "Time")]
    pub at: DateTime<Utc>,
    /// What decides between machines; absent before the first merge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Stamp>,
}

impl Mark {
    /// The marks for a hint that the user does not want: one for each repository it names.
    pub(crate) fn unwanted(names: (&Name, &Name), hint: &Hint, at: DateTime<Utc>) -> Vec<Mark> {
        if hint.is_secret() {
            return Vec::new();
        }
        let mark = |repo: Option<&String>| Mark {
            repo: repo.map(|repo| repo.as_str().into()),
            value: hash(&hint.value),
            ..Mark::new(names, at)
        };
        match hint.repos() {
            Some(repos) => repos.iter().map(|repo| mark(Some(repo))).collect(),
            None => vec![mark(None)],
        }
    }

    /// The mark for a hint that is not kept any more.
    pub(crate) fn gone(names: (&Name, &Name), scope: Option<&Scope>, stamp: Stamp) -> Mark {
        let at = stamp.at;
        Mark {
            scope: scope.cloned(),
            stamp: Some(stamp),
            ..Mark::new(names, at)
        }
    }

    fn new((component, key): (&Name, &Name), at: DateTime<Utc>) -> Mark {
        Mark {
            component: component.clone(),
            key: key.clone(),
            repo: None,
            value: Name::default(),
            scope: None,
            wanted: false,
            at,
            stamp: None,
        }
    }

    /// Whether it is about a hint that is not kept any more.
    #[must_use]
    pub fn is_of_hint(&self) -> bool {
        self.value.is_empty()
    }

    /// What it is about.
    pub(crate) fn subject(&self) -> (&Name, &Name, Option<&Name>, &Name, Option<&Scope>) {
        let names = (&self.component, &self.key);
        let (repo, scope) = (self.repo.as_ref(), self.scope.as_ref());
        (names.0, names.1, repo, &self.value, scope)
    }

    /// What goes first where there are too many: the lower stamp, else the earlier time.
    pub(crate) fn age(&self) -> (u64, DateTime<Utc>) {
        (
            self.stamp.as_ref().map_or(0, |stamp| stamp.counter),
            self.at,
        )
    }

    /// Whether two speak about the same, whenever that was.
    pub(crate) fn is_same(&self, other: &Mark) -> bool {
        self.subject() == other.subject()
    }

    /// Whether the user does not want a hint, which was not set after that.
    pub(crate) fn forbids(&self, names: (&Name, &Name), hint: &Hint) -> bool {
        hint.updated_at <= self.at && self.is_about(names, hint)
    }

    /// Whether the user did not want that hint.
    pub(crate) fn is_about(&self, names: (&Name, &Name), hint: &Hint) -> bool {
        let is_there = match (&self.repo, hint.repos()) {
            (None, repos) => repos.is_none(),
            (Some(repo), repos) => repos.into_iter().flatten().any(|known| repo == &**known),
        };
        is_there && self.is_value_of(names, &hint.value)
    }

    /// Whether the user did not want a value under some names, wherever that was.
    pub(crate) fn is_value_of(&self, names: (&Name, &Name), value: &HintValue) -> bool {
        let is_slot = (&self.component, &self.key) == names;
        is_slot && !self.wanted && self.value == hash(value)
    }
}

/// A hash of the text of a value. Two values that share one are not told apart, which costs no
/// more than that the second is not learned.
pub(crate) fn hash(value: &HintValue) -> Name {
    format!("{:016x}", lasting_print(&value.text())).into()
}
