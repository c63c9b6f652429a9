//! `HintMatch`, `Found` and the other answers: what each operation gives back.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::match_explain::MatchExplain;
use crate::api::payload::Snapshot;
use crate::hint::proposal::Proposal;
use crate::hint::{Hint, HintValue};
use crate::model::absent::is_zero;
use crate::model::list::{list_or_one, one_or_list, one_or_several};
use crate::model::name::Name;
use crate::model::near_miss::NearMiss;
use crate::model::scope::Scope;
use crate::scope::context::Facts;

/// What a set did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HintSet {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint as it is now.
    pub hint: Arc<Hint>,
    /// Whether the hint is new.
    pub created: bool,
    /// How many hints with different scopes the key holds.
    pub variants: usize,
    /// The value that stood there, where it was another; never that of a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<HintValue>,
    /// Present when nothing was overwritten, because the user has set this hint or others saw
    /// it work: yours waits until the user accepts it, and `hint` is what still stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// What the writer may not expect: that another hint stays elsewhere, or that a get
    /// from there does not return this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Box<str>>,
}

/// The hint that fits best, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HintMatch {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint.
    pub hint: Arc<Hint>,
    /// Why it was chosen.
    pub match_explain: MatchExplain,
    /// The next ones, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Ranked>,
    /// What the caller has proposed to the user in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<OwnProposal>,
}

/// What a client has proposed itself, beside the hint that stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OwnProposal {
    /// Its number.
    pub id: u64,
    /// The value as it would be; absent where it proposes to delete the hint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<HintValue>,
}

/// One of several hints, with its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Ranked {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint.
    pub hint: Arc<Hint>,
    /// From 0 to 1, with four decimals.
    pub score: f64,
    /// Why it is there.
    pub match_explain: MatchExplain,
}

/// What a query found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Found {
    /// The best ones, up to the limit.
    pub hints: Vec<Ranked>,
    /// How many apply here and fit the filters.
    pub total: usize,
    /// How many fit the filters but do not apply here.
    pub scoped_out: usize,
    /// Those, up to the limit and without their values, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ineligible: Option<Vec<Ineligible>>,
    /// How many within the limit `max_tokens` left out; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Up to three names that exist, the most alike first, where the component or every key that
    /// was asked for does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Name>,
}

/// A hint that is out of scope, without its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Ineligible {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The conditions that fail.
    pub near_misses: Vec<NearMiss>,
}

impl Ineligible {
    pub(crate) fn of((component, key, hint): (Name, Name, Arc<Hint>), facts: &Facts) -> Ineligible {
        Ineligible {
            component,
            key,
            near_misses: hint.failed_conditions(facts),
        }
    }
}

/// What a delete took away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Deleted {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// Whether they are gone; not where it is only proposed. A delete that finds nothing is
    /// an error.
    pub deleted: bool,
    /// The hint that was there, or a list of them when several went.
    #[serde(serialize_with = "one_or_list", deserialize_with = "list_or_one")]
    #[schemars(schema_with = "one_or_several::<Hint>")]
    pub previous: Vec<Arc<Hint>>,
    /// How many other hints the key holds.
    pub remaining: usize,
    /// Present when nothing was deleted, because the user has set this hint: the user is
    /// asked to delete it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
}

/// What a delete took away, or would take, in the slots that names stand for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DeletedHints {
    /// What went of each slot, by name.
    pub deleted: Vec<Deleted>,
    /// How many other slots have such names, and nothing that was meant.
    pub left: usize,
    /// How many hints of such names stay: they apply in other places, or in all; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub elsewhere: usize,
}

/// The hint after a bump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Bumped {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint as it is now.
    pub hint: Arc<Hint>,
    /// By how much it was counted; 0 where it was not: nobody but the user counts twice in ten
    /// minutes.
    pub counted: u64,
    /// How often it was used, this time included.
    pub use_count: u64,
}

/// The components of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Components {
    /// One entry for each, sorted by name.
    pub components: Vec<ComponentEntry>,
}

/// One component of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ComponentEntry {
    /// Its name.
    pub name: Name,
    /// How many hints it has, every variant counted.
    pub hint_count: usize,
    /// Its keys, sorted, when it was asked for by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<Vec<Name>>,
}

/// An export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Exported {
    /// The hints, ready to be written or imported.
    pub payload: Snapshot,
    /// How many hints and proposals were left out because they are marked as secret.
    pub secrets_left_out: usize,
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Imported {
    /// How many hints were taken over.
    pub imported: usize,
    /// How many were not: bad, expired, equal to or older than what is there.
    pub skipped: usize,
    /// What is wrong with the first 20 bad ones, proposals and context sets included.
    pub problems: Vec<Problem>,
}

/// Why one hint of a payload, or one proposal or context set, was not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Problem {
    /// Its component; `context_sets` for a set.
    pub component: Name,
    /// Its key.
    pub key: Name,
    /// The kind of error, such as `E_SECRET_REJECTED`.
    pub reason: Cow<'static, str>,
    /// One word for the case within its kind.
    pub detail: Cow<'static, str>,
    /// The error in words.
    pub message: String,
}

/// The hints that stand under another name from now on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Moved {
    /// Each variant, by its new name.
    pub hints: Vec<MovedHint>,
    /// How many of the old name stay: they apply in other places, or in all; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub elsewhere: usize,
    /// The new names of repositories, by the old ones; absent where none was renamed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub repos: BTreeMap<String, String>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MovedHint {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint, as it was.
    pub hint: Arc<Hint>,
}

/// What an undo took back: all that one write of the user's had done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Undone {
    /// The hints, by name.
    pub hints: Vec<TakenBack>,
    /// How many stay as they are because they are marked as secret; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub secrets_left_out: usize,
}

/// A hint that is as it was before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TakenBack {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// Where it applies; absent when that is everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// What had been done to it.
    pub was: Was,
    /// The hint as it is now; absent when there is none again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Arc<Hint>>,
}

/// What had been done to a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Was {
    /// It was deleted.
    Deleted,
    /// Another took its place.
    Overwritten,
    /// It came with the others.
    Created,
}
