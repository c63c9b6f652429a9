//! `Marks`: what is remembered of values that do not stand, found by slot.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;

use crate::hint::mark::Mark;
use crate::model::name::Name;

/// How many a store remembers, the newest.
const MOST: usize = 20_000;

/// What is remembered of values that do not stand.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// By number, the oldest first.
    all: BTreeMap<u64, Mark>,
    /// Their numbers by component and key: each write asks for those of its slot.
    by_slot: HashMap<(Name, Name), BTreeSet<u64>>,
    last: u64,
}

impl Marks {
    /// All of them, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.all.values()
    }

    /// Those of a slot, the oldest first.
    pub(crate) fn of<'m>(
        &'m self,
        (component, key): (&Name, &Name),
    ) -> impl Iterator<Item = &'m Mark> + use<'m> {
        let slot = (!self.all.is_empty()).then(|| (component.clone(), key.clone()));
        let numbers = slot.and_then(|slot| self.by_slot.get(&slot));
        let numbers = numbers.into_iter().flatten();
        numbers.filter_map(|number| self.all.get(number))
    }

    /// Puts one last, in the place of one that says the same. Of too many the oldest goes.
    pub(super) fn put(&mut self, mark: Mark) {
        self.remove(&mark);
        self.last += 1;
        let slot = (mark.component.clone(), mark.key.clone());
        self.by_slot.entry(slot).or_default().insert(self.last);
        self.all.insert(self.last, mark);
        if self.all.len() > MOST
            && let Some(oldest) = self.all.values().next().cloned()
        {
            self.remove(&oldest);
        }
    }

    /// Takes away what says the same.
    pub(super) fn remove(&mut self, mark: &Mark) {
        let slot = (mark.component.clone(), mark.key.clone());
        let Some(numbers) = self.by_slot.get_mut(&slot) else {
            return;
        };
        let all = &mut self.all;
        numbers.retain(|number| {
            let is_other = |known: &Mark| !known.is_same(mark);
            let stays = all.get(number).is_some_and(is_other);
            stays || all.remove(number).is_none()
        });
        if numbers.is_empty() {
            self.by_slot.remove(&slot);
        }
    }
}
