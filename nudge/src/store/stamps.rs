//! What decides between machines: whose stamps are given here, and the highest that was seen.

use std::sync::Arc;

use crate::hint::Hint;
use crate::hint::stamp::Stamp;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::store::Store;

impl Store {
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
        let slot = self.slot(component, key)?;
        let mut hints = slot.variants.iter().map(|variant| &variant.hint);
        hints.find(|hint| hint.scope() == scope)
    }
}
