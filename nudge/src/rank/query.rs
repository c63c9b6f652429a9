//! How a query finds its candidates and keeps the best of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::reach::Reach;
use crate::api::request::{Query, TagsMode};
use crate::config::Weights;
use crate::hint::Hint;
use crate::hint::meta::folded;
use crate::model::error::Error;
use crate::model::name::{Name, check_length};
use crate::rank::score::Candidate;
use crate::rank::select::Shown;
use crate::rank::words::Words;
use crate::scope::context::Facts;
use crate::store::Store;
use crate::store::automaton::ReadBudget;
use crate::store::pattern::{MAX_BYTES, Patterns, Search};
use crate::store::slot::Slot;

/// The filters of a query, ready to be used on every candidate.
pub(crate) struct Filters<'q> {
    component: Option<&'q Name>,
    keys: BTreeSet<&'q Name>,
    tags: BTreeSet<Name>,
    mode: TagsMode,
    regex: Option<Search>,
    words: Words,
    anywhere: bool,
}

/// What passed the filters.
#[derive(Default)]
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
    /// What the caller may read.
    pub(crate) reach: &'q Reach<'q>,
    pub(crate) now: DateTime<Utc>,
}

impl<'q> Filters<'q> {
    pub(crate) fn new(query: &'q Query, patterns: &Patterns) -> Result<Filters<'q>, Error> {
        let regex = query.regex.as_deref().map(|regex| {
            check_length(regex, "regex", MAX_BYTES)?;
            Ok(Search::new(&*patterns.get(regex)?))
        });
        Ok(Filters {
            component: query.component.as_ref(),
            keys: query.keys.iter().collect(),
            tags: query.tags.iter().map(folded).collect(),
            mode: query.tags_mode,
            regex: regex.transpose()?,
            words: Words::new(query.text.as_deref().unwrap_or_default(), patterns)?,
            anywhere: query.anywhere,
        })
    }

    /// Goes through all that may fit, keeping the best `most`.
    pub(crate) fn run<'s>(
        &self,
        store: &'s Store,
        at: QueryContext<'_>,
        most: usize,
        most_ineligible: usize,
    ) -> Result<Passed<'s>, Error> {
        let budget = ReadBudget::new(self.words.0.len(), store.counts().hints);
        let mut passed = Passed::default();
        let mut shown = Shown::default();
        // By the words that stand whole in them: how many there are, and the best.
        let mut groups: BTreeMap<u32, (f64, Vec<_>)> = BTreeMap::new();
        self.candidates(store, &budget, |slot, hint, whole| {
            if hint.is_expired(at.now) || !at.reach.has(hint) {
                return;
            }
            if self.anywhere || hint.applies(at.facts) {
                if !self.anywhere && !shown.shows(slot, hint, at) {
                    return;
                }
                passed.total += 1;
                let names = (&slot.component, &slot.key);
                let (count, best) = groups.entry(whole).or_default();
                *count += 1.0;
                keep(best, Candidate::new(names, hint, at), most);
            } else {
                passed.scoped_out += 1;
                passed.list(slot, hint, most_ineligible);
            }
        });
        passed.best = merged(groups);
        passed.best.truncate(most);
        if budget.is_used_up() {
            let field = self.regex.as_ref().map_or("text", |_| "regex");
            let words = format!(
                "{field} takes too long with all that is stored; name a component, or make it simpler"
            );
            return Err(Error::invalid(field, "too_slow", words));
        }
        Ok(passed)
    }

    /// Calls `found` with every hint that passes all filters, and with the words that stand
    /// whole in it, by the way that looks at the fewest.
    fn candidates<'s>(
        &self,
        store: &'s Store,
        budget: &ReadBudget,
        mut found: impl FnMut(&'s Slot, &'s Arc<Hint>, u32),
    ) {
        let mut look = |slot: &'s Slot, hint: &'s Arc<Hint>| {
            let is_in = |search: &Search| search.is_in(&slot.key, hint, budget);
            if self.tags_pass(hint)
                && self.regex.as_ref().is_none_or(is_in)
                && let Some(whole) = self.words.whole_in(slot, hint, budget)
            {
                found(slot, hint, whole);
            }
        };
        let patterns = self.keys.iter().filter(|key| key.is_pattern());
        let has_patterns = patterns.clone().next().is_some();
        let is_wanted = |slot: &Slot| {
            self.keys.is_empty()
                || self.keys.contains(&slot.key)
                || has_patterns && patterns.clone().any(|key| key.takes(&slot.key))
        };
        let slots: Box<dyn Iterator<Item = &'s Slot> + '_> = if let Some(component) = self.component
        {
            if self.keys.is_empty() || has_patterns || store.component(component).is_none() {
                let owners = store.components_like(component).into_iter();
                Box::new(owners.flat_map(|(_, owner)| store.slots_of(owner)))
            } else {
                let keys = self.keys.iter();
                Box::new(keys.filter_map(|key| store.slot(component, key)))
            }
        } else if !self.tags.is_empty() {
            let numbers = self.tagged(store);
            Box::new(numbers.filter_map(|number| store.slot_at(number)))
        } else if let Some(search) = self.indexed()
            && let Some(lines) = search.by_line()
        {
            // Words are also looked for in the component, which the index does not have.
            let is_named = move |name: &Name| {
                self.regex.is_none() && search.end_of_match(name, 0, budget).is_some()
            };
            store.text_index().search(lines, budget, |number, place| {
                if let Some(slot) = store.slot_at(number)
                    && let Some(hint) = slot.hint_at(place)
                    && is_wanted(slot)
                    && !is_named(&slot.component)
                {
                    look(slot, hint);
                }
            });
            if self.regex.is_some() {
                return;
            }
            let named = store.components().into_iter();
            let named = named.filter(move |(name, _)| is_named(name));
            Box::new(named.flat_map(|(_, owner)| store.slots_of(owner)))
        } else {
            Box::new(store.slots())
        };
        for slot in slots.filter(|slot| is_wanted(slot)) {
            slot.hints().for_each(|hint| look(slot, hint));
        }
    }

    /// What the text index can be searched for: the regex, or else the longest word.
    fn indexed(&self) -> Option<&Search> {
        self.regex.as_ref().or_else(|| self.words.longest())
    }

    /// The slots that may hold what the tags ask for.
    fn tagged<'s>(&'s self, store: &'s Store) -> Box<dyn Iterator<Item = u32> + 's> {
        let sets = self.tags.iter().map(|tag| store.tagged(tag));
        match self.mode {
            TagsMode::Any => {
                let union: BTreeSet<u32> = sets.flatten().flatten().copied().collect();
                Box::new(union.into_iter())
            }
            TagsMode::All => {
                // A tag that nothing has leaves nothing.
                let fewest = sets.min_by_key(|set| set.map_or(0, BTreeSet::len));
                Box::new(fewest.flatten().into_iter().flatten().copied())
            }
        }
    }

    fn tags_pass(&self, hint: &Hint) -> bool {
        let had = || hint.meta.tags.iter().map(folded);
        match self.mode {
            _ if self.tags.is_empty() => true,
            TagsMode::Any => had().any(|tag| self.tags.contains(&tag)),
            TagsMode::All => had().filter(|tag| self.tags.contains(tag)).count() == self.tags.len(),
        }
    }
}

impl<'s> Passed<'s> {
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

/// Keeps a candidate if it is among the best so far.
fn keep<'s>(best: &mut Vec<Candidate<'s>>, candidate: Candidate<'s>, most: usize) {
    let is_better = |known: &Candidate<'_>| known.order(&candidate).is_lt();
    if best.len() == most && best.last().is_some_and(is_better) {
        return;
    }
    best.truncate(most - 1);
    best.insert(best.partition_point(is_better), candidate);
}

/// All of some groups in one order: by the weight of the words that stand whole, then by score.
/// A word that stands whole in few of all hits weighs more than one that does in many.
fn merged(groups: BTreeMap<u32, (f64, Vec<Candidate<'_>>)>) -> Vec<Candidate<'_>> {
    let is_set = |whole: u32, bit: usize| whole >> bit & 1 == 1;
    let total: f64 = groups.values().map(|(count, _)| count).sum();
    let mut weights = [0.0_f64; u32::BITS as usize];
    // Where nothing tells hits apart, nothing is weighed.
    for (bit, weight) in weights.iter_mut().enumerate().filter(|_| groups.len() > 1) {
        let having = groups.iter().filter(|(whole, _)| is_set(**whole, bit));
        let count: f64 = having.map(|(_, (count, _))| count).sum();
        *weight = (1.0 + total / count.max(1.0)).ln();
    }
    let weight = |whole: u32| {
        let set = weights.iter().enumerate();
        let set = set.filter(|(bit, _)| is_set(whole, *bit));
        // Rounded, because the order in which numbers are added must not count.
        (set.map(|(_, weight)| weight).sum::<f64>() * 1e9).round()
    };
    let all = groups.into_iter().flat_map(|(whole, (_, best))| {
        let weight = weight(whole);
        best.into_iter().map(move |candidate| (weight, candidate))
    });
    let mut all: Vec<(f64, Candidate<'_>)> = all.collect();
    all.sort_by(|(a, first), (b, second)| b.total_cmp(a).then_with(|| first.order(second)));
    all.into_iter().map(|(_, candidate)| candidate).collect()
}
