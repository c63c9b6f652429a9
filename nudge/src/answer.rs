//! `HintMatch`, `Found` and the other answers: what each operation gives back.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::context::Context;
use crate::explain::{MatchExplain, NearMiss};
use crate::hint::Hint;
use crate::name::Name;
use crate::rank::Candidate;
use crate::snapshot::Snapshot;
use crate::store::Store;
use crate::tag::has_tag;

/// What a set did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HintSet {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint as it is now.
    pub hint: Arc<Hint>,
    /// Whether the variant is new.
    pub created: bool,
    /// How many variants the slot holds.
    pub variants: usize,
}

/// The hint that fits best, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
}

/// One of several hints, with its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

impl Ranked {
    pub(crate) fn new(candidate: &Candidate<'_>, context: &Context, now: DateTime<Utc>) -> Ranked {
        let match_explain = MatchExplain::new(candidate, context.clone(), now);
        Ranked {
            component: candidate.component.clone(),
            key: candidate.key.clone(),
            hint: Arc::clone(candidate.hint),
            score: match_explain.score,
            match_explain,
        }
    }

    /// The same as the answer to a get.
    pub(crate) fn into_match(self, alternatives: Vec<Ranked>) -> HintMatch {
        HintMatch {
            component: self.component,
            key: self.key,
            hint: self.hint,
            match_explain: self.match_explain,
            alternatives,
        }
    }
}

/// What a query found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Found {
    /// The best ones, up to the limit.
    pub hints: Vec<Ranked>,
    /// How many are eligible and fit the filters.
    pub total: usize,
    /// How many fit the filters but are out of scope.
    pub scoped_out: usize,
    /// Those, up to the limit and without their values, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ineligible: Option<Vec<Ineligible>>,
}

/// A hint that is out of scope, without its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ineligible {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The conditions that fail.
    pub near_misses: Vec<NearMiss>,
}

/// What a delete took away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Deleted {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// Always true: a delete that finds nothing is an error.
    pub deleted: bool,
    /// What was there; in JSON one hint, or a list when several went.
    #[serde(serialize_with = "one_or_list", deserialize_with = "list_or_one")]
    pub previous: Vec<Arc<Hint>>,
}

/// The hint after a bump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Bumped {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint as it is now.
    pub hint: Arc<Hint>,
}

/// The components of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Components {
    /// One entry for each, sorted by name.
    pub components: Vec<ComponentEntry>,
}

/// One component of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Exported {
    /// The hints, ready to be written or imported.
    pub payload: Snapshot,
    /// How many hints were left out because they are marked as secret.
    pub secrets_left_out: usize,
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Imported {
    /// How many hints were taken over.
    pub imported: usize,
    /// How many were not: bad, expired, equal to or older than what is there.
    pub skipped: usize,
    /// What is wrong with the first 20 bad ones.
    pub problems: Vec<Problem>,
}

/// Why one hint of a payload was not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// Its component.
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

/// How much a store holds and what is used most.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make").tags(["build"]))?;
/// let stats = nudge.stats();
/// assert_eq!((stats.components, stats.hints), (1, 1));
/// assert_eq!(stats.top_tags[0].tag, "build");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stats {
    /// Components.
    pub components: usize,
    /// Slots.
    pub slots: usize,
    /// Hints, every variant counted.
    pub hints: usize,
    /// Uses of all hints.
    pub uses: u64,
    /// Hints that were used at least once.
    pub used_hints: usize,
    /// The ten tags on most hints.
    pub top_tags: Vec<TagCount>,
}

impl Stats {
    /// Counts what is live in a store.
    pub(crate) fn of(store: &Store, now: DateTime<Utc>) -> Stats {
        let mut stats = Stats {
            components: 0,
            slots: 0,
            hints: 0,
            uses: 0,
            used_hints: 0,
            top_tags: Vec::new(),
        };
        for (_, owner) in store.components() {
            let slots = store.slots_of(owner);
            let counts = slots.map(|slot| slot.live(now).map(|hint| stats.count(hint)).count());
            let live_slots = counts.filter(|live| *live > 0).count();
            stats.slots += live_slots;
            stats.components += usize::from(live_slots > 0);
        }
        let tag_count = |(tag, slots): (&Name, &BTreeSet<u32>)| {
            let slots = slots.iter().filter_map(|number| store.slot_at(*number));
            let live = slots.flat_map(|slot| slot.live(now));
            let hints = live.filter(|hint| has_tag(hint, tag)).count();
            (hints > 0).then(|| TagCount {
                tag: tag.clone(),
                hints,
            })
        };
        stats.top_tags = store.tags().filter_map(tag_count).collect();
        stats
            .top_tags
            .sort_by(|a, b| b.hints.cmp(&a.hints).then(a.tag.cmp(&b.tag)));
        stats.top_tags.truncate(TOP_TAGS);
        stats
    }

    fn count(&mut self, hint: &Hint) {
        self.hints += 1;
        self.uses = self.uses.saturating_add(hint.use_count);
        self.used_hints += usize::from(hint.use_count > 0);
    }
}

/// How many tags the statistics list.
const TOP_TAGS: usize = 10;

/// On how many hints a tag is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TagCount {
    /// The tag, in lower case.
    pub tag: Name,
    /// How many hints have it.
    pub hints: usize,
}

/// Writes one item by itself and several as a list.
pub(crate) fn one_or_list<T: Serialize, S: Serializer>(
    items: &[T],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match items {
        [one] => one.serialize(serializer),
        several => several.serialize(serializer),
    }
}

fn list_or_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Arc<Hint>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Previous {
        One(Arc<Hint>),
        Several(Vec<Arc<Hint>>),
    }
    Ok(match Previous::deserialize(deserializer)? {
        Previous::One(hint) => vec![hint],
        Previous::Several(hints) => hints,
    })
}
