//! `Marks`: what is remembered of values that do not stand, found by slot.

use std::collections::BTreeMap;

use crate::hint::mark::Mark;
use crate::model::name::Name;
use crate::model::scope::Scope;

/// How many a store remembers, the newest.
const MOST: usize = 20_000;

/// What is remembered of values that do not stand.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    by_slot: BTreeMap<(Name, Name), Vec<Mark>>,
    count: usize,
}

impl Marks {
    /// All of them, by slot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.by_slot.values().flatten()
    }

    /// Those of a slot, the oldest first.
    pub(crate) fn of(&self, (component, key): (&Name, &Name)) -> std::slice::Iter<'_, Mark> {
        let slot = self.by_slot.get(&(component.clone(), key.clone()));
        slot.map_or(&[][..], Vec::as_slice).iter()
    }

    /// Adds one, in the place of one that says the same. Of too many the oldest goes.
    pub(super) fn put(&mut self, mark: Mark) {
        self.remove(&mark);
        if self.count >= MOST
            && let Some(oldest) = self.iter().min_by_key(|mark| mark.age()).cloned()
        {
            // Whichever came first: the same stay on every machine.
            if mark.age() < oldest.age() {
                return;
            }
            self.remove(&oldest);
        }
        let slot = (mark.component.clone(), mark.key.clone());
        self.by_slot.entry(slot).or_default().push(mark);
        self.count += 1;
    }

    /// That of a hint that is not kept any more.
    pub(crate) fn gone(&self, names: (&Name, &Name), scope: Option<&Scope>) -> Option<&Mark> {
        let mut marks = self.of(names);
        marks.find(|mark| mark.is_of_hint() && mark.scope.as_ref() == scope)
    }

    /// Takes away what says the same.
    pub(super) fn remove(&mut self, mark: &Mark) {
        let slot = (mark.component.clone(), mark.key.clone());
        let Some(marks) = self.by_slot.get_mut(&slot) else {
            return;
        };
        self.count -= marks.extract_if(.., |known| known.is_same(mark)).count();
        if marks.is_empty() {
            self.by_slot.remove(&slot);
        }
    }
}
