//! `Stats`: how much a store holds and what is used most.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::reach::Reach;
use crate::hint::Hint;
use crate::hint::meta::has_tag;
use crate::model::name::Name;
use crate::store::Store;

/// Asks how much the store holds and what is used most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GetStats {}

/// How much a store holds and what is used most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Stats {
    /// How many components there are.
    pub components: usize,
    /// How many slots, which are pairs of a component and a key.
    pub slots: usize,
    /// How many hints, every variant counted.
    pub hints: usize,
    /// How often hints were used, all together.
    pub uses: u64,
    /// How many hints were used at least once.
    pub used_hints: usize,
    /// The ten tags on most hints.
    pub top_tags: Vec<TagCount>,
}

impl Stats {
    /// Counts what is live in a store, as far as a caller may read it.
    pub(crate) fn of(store: &Store, now: DateTime<Utc>, reach: &Reach<'_>) -> Stats {
        let mut stats = Stats::default();
        for (_, owner) in store.components() {
            let slots = store.slots_of(owner);
            let live = slots.map(|slot| slot.readable(now, reach));
            let counts = live.map(|live| live.map(|hint| stats.count(hint)).count());
            let live_slots = counts.filter(|live| *live > 0).count();
            stats.slots += live_slots;
            stats.components += usize::from(live_slots > 0);
        }
        let tag_count = |(tag, slots): (&Name, &BTreeSet<u32>)| {
            let slots = slots.iter().filter_map(|number| store.slot_at(*number));
            let live = slots.flat_map(|slot| slot.readable(now, reach));
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TagCount {
    /// The tag, in lower case.
    pub tag: Name,
    /// How many hints have it.
    pub hints: usize,
}
