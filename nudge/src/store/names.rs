//! What stands under names, and which components and slots one means that may be a pattern.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::hint::Hint;
use crate::hint::stamp::Stamp;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::store::slot::Slot;
use crate::store::{Component, Store};

impl Store {
    /// The hints of a slot that are not dead.
    pub(crate) fn live<'s>(
        &'s self,
        (component, key): (&Name, &Name),
        now: DateTime<Utc>,
    ) -> impl Iterator<Item = &'s Arc<Hint>> + Clone + use<'s> {
        let slot = self.slot(component, key).into_iter();
        slot.flat_map(move |slot| slot.live(now))
    }

    /// The one of them that has a scope.
    pub(crate) fn live_variant(
        &self,
        names: (&Name, &Name),
        scope: Option<&Scope>,
        now: DateTime<Utc>,
    ) -> Option<&Arc<Hint>> {
        self.live(names, now).find(|hint| hint.scope() == scope)
    }

    /// The component of a name or, where there is none, those that it stands for as a
    /// pattern, sorted.
    pub(crate) fn components_like<'s>(&'s self, name: &'s Name) -> Vec<(&'s Name, &'s Component)> {
        match self.components.get_key_value(name) {
            Some(component) => vec![component],
            None if name.is_pattern() => {
                let all = self.components().into_iter();
                all.filter(|(known, _)| name.takes(known)).collect()
            }
            None => Vec::new(),
        }
    }

    /// The slots of the components and keys that two names mean, in the same way.
    pub(crate) fn slots_like<'s>(
        &'s self,
        (component, key): (&'s Name, &'s Name),
    ) -> Vec<&'s Slot> {
        let owners = self.components_like(component).into_iter();
        let slots = owners.flat_map(|(name, owner)| {
            let only = self.slot(name, key);
            let fits = move |slot: &&Slot| match only {
                Some(only) => slot.key == only.key,
                None => key.is_pattern() && key.takes(&slot.key),
            };
            self.slots_of(owner).filter(fits)
        });
        slots.collect()
    }

    pub(super) fn name(&mut self, machine: Name, counter: u64) {
        self.machine = Some(machine);
        self.counter = self.counter.max(counter);
    }

    /// The machine that stamps what is changed here.
    pub(crate) fn machine(&self) -> Option<&Name> {
        self.machine.as_ref()
    }

    /// The highest counter that was seen.
    pub(crate) fn counter(&self) -> u64 {
        self.counter
    }

    pub(super) fn see(&mut self, stamp: Option<&Stamp>) {
        self.counter = stamp.map_or(self.counter, |stamp| stamp.counter.max(self.counter));
    }

    /// The variant of a scope, dead or not.
    pub(crate) fn variant(
        &self,
        (component, key): (&Name, &Name),
        scope: Option<&Scope>,
    ) -> Option<&Arc<Hint>> {
        let mut hints = self.slot(component, key)?.hints();
        hints.find(|hint| hint.scope() == scope)
    }
}
