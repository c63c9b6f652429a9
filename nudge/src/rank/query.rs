//! How a query finds its candidates and keeps the best of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::request::{Query, TagsMode};
use crate::config::Weights;
use crate::hint::Hint;
use crate::hint::tag::{folded, has_tag};
use crate::model::name::Name;
use crate::rank::score::Candidate;
use crate::scope::context::Facts;
use crate::store::Store;
use crate::store::pattern::Pattern;
use crate::store::slot::Slot;

/// The filters of a query, ready to be used on every candidate.
pub(crate) struct Filters<'q> {
    component: Option<&'q Name>,
    keys: &'q [Name],
    tags: Vec<Name>,
    mode: TagsMode,
    regex: Option<Arc<Pattern>>,
}

/// What passed the filters.
pub(crate) struct Passed<'s> {
    /// The best of those that are eligible, in order.
    pub(crate) best: Vec<Candidate<'s>>,
    /// How many are eligible.
    pub(crate) total: usize,
    /// How many are not.
    pub(crate) scoped_out: usize,
    /// The first of those by name and scope.
    pub(crate) ineligible: Vec<(&'s Slot, &'s Arc<Hint>)>,
}

/// What a query's answer depends on besides the store.
#[derive(Clone, Copy)]
pub(crate) struct QueryContext<'q> {
    pub(crate) facts: &'q Facts,
    pub(crate) weights: &'q Weights,
    pub(crate) now: DateTime<Utc>,
}

impl<'q> Filters<'q> {
    pub(crate) fn new(query: &'q Query, regex: Option<Arc<Pattern>>) -> Filters<'q> {
        let mut tags: Vec<Name> = query.tags.iter().map(folded).collect();
        tags.sort_unstable();
        tags.dedup();
        Filters {
            component: query.component.as_ref(),
            keys: &query.keys,
            tags,
            mode: query.tags_mode,
            regex,
        }
    }

    /// Goes through all that may fit, keeping the best `most`.
    pub(crate) fn run<'s>(
        &self,
        store: &'s Store,
        query_context: QueryContext<'_>,
        most: usize,
        most_ineligible: usize,
    ) -> Passed<'s> {
        let mut passed = Passed {
            best: Vec::with_capacity(most.min(16)),
            total: 0,
            scoped_out: 0,
            ineligible: Vec::new(),
        };
        let QueryContext {
            facts,
            weights,
            now,
        } = query_context;
        self.candidates(store, |slot, hint| {
            if hint.is_expired(now) {
                return;
            }
            if hint.applies(facts) {
                if !slot.shows(hint, query_context) {
                    return;
                }
                passed.total += 1;
                let names = (&slot.component, &slot.key);
                passed.keep(Candidate::new(names, hint, weights, now), facts, most);
            } else {
                passed.scoped_out += 1;
                passed.list(slot, hint, most_ineligible);
            }
        });
        passed
    }

    /// Calls `found` with every hint that passes all filters, by the way that
    /// looks at the fewest.
    fn candidates<'s>(&self, store: &'s Store, mut found: impl FnMut(&'s Slot, &'s Arc<Hint>)) {
        let in_slot = |slot: &'s Slot| {
            if !self.keys.is_empty() && !self.keys.contains(&slot.key) {
                return;
            }
            for variant in &slot.variants {
                let hint = &variant.hint;
                if self.tags_pass(hint) && self.regex_passes(slot, hint) {
                    found(slot, hint);
                }
            }
        };
        if let Some(component) = self.component {
            if self.keys.is_empty() {
                let owner = store.component(component);
                let slots = owner.into_iter().flat_map(|owner| store.slots_of(owner));
                slots.for_each(in_slot);
            } else {
                let keys: BTreeSet<&Name> = self.keys.iter().collect();
                keys.into_iter()
                    .filter_map(|key| store.slot(component, key))
                    .for_each(in_slot);
            }
        } else if !self.tags.is_empty() {
            self.tagged(store)
                .filter_map(|number| store.slot_at(number))
                .for_each(in_slot);
        } else if let Some((pattern, lines)) =
            self.regex.as_ref().and_then(|p| Some((p, p.by_line()?)))
        {
            store.text_index().search(lines, |number, place| {
                let Some(slot) = store.slot_at(number) else {
                    return;
                };
                let Some(hint) = slot.hint_at(place) else {
                    return;
                };
                let wanted = self.keys.is_empty() || self.keys.contains(&slot.key);
                if wanted && pattern.is_in(&slot.key, hint) {
                    found(slot, hint);
                }
            });
        } else {
            store.slots().for_each(in_slot);
        }
    }

    /// The slots that may hold what the tags ask for.
    fn tagged<'s>(&'s self, store: &'s Store) -> Box<dyn Iterator<Item = u32> + 's> {
        let sets = self.tags.iter().map(|tag| store.tagged(tag));
        match (self.mode, &self.tags[..]) {
            (_, [tag]) => Box::new(store.tagged(tag).into_iter().flatten().copied()),
            (TagsMode::Any, _) => {
                let union: BTreeSet<u32> = sets.flatten().flatten().copied().collect();
                Box::new(union.into_iter())
            }
            (TagsMode::All, _) => {
                // A tag that nothing has leaves nothing.
                let fewest = sets
                    .min_by_key(|set| set.map_or(0, BTreeSet::len))
                    .flatten();
                Box::new(fewest.into_iter().flatten().copied())
            }
        }
    }

    fn tags_pass(&self, hint: &Hint) -> bool {
        let mut tags = self.tags.iter();
        match self.mode {
            _ if self.tags.is_empty() => true,
            TagsMode::Any => tags.any(|tag| has_tag(hint, tag)),
            TagsMode::All => tags.all(|tag| has_tag(hint, tag)),
        }
    }

    fn regex_passes(&self, slot: &Slot, hint: &Hint) -> bool {
        let regex = self.regex.as_ref();
        regex.is_none_or(|pattern| pattern.is_in(&slot.key, hint))
    }
}

impl<'s> Passed<'s> {
    /// Keeps a candidate if it is among the best so far.
    fn keep(&mut self, candidate: Candidate<'s>, facts: &Facts, most: usize) {
        if self.best.len() == most {
            let worst = self.best.last();
            if worst.is_some_and(|worst| worst.order(&candidate, facts).is_lt()) {
                return;
            }
            self.best.pop();
        }
        let at = self
            .best
            .partition_point(|better| better.order(&candidate, facts).is_lt());
        self.best.insert(at, candidate);
    }

    /// Lists a hint that is out of scope if it is among the first by name.
    fn list(&mut self, slot: &'s Slot, hint: &'s Arc<Hint>, most: usize) {
        let place =
            |(slot, hint): &(&'s Slot, &'s Arc<Hint>)| (&slot.component, &slot.key, hint.scope());
        let new = place(&(slot, hint));
        let at = self.ineligible.partition_point(|known| place(known) < new);
        if at < most {
            self.ineligible.truncate(most - 1);
            self.ineligible.insert(at, (slot, hint));
        }
    }
}
