//! Which components and slots a name means that may be a pattern.

use crate::model::name::Name;
use crate::store::slot::Slot;
use crate::store::{Component, Store};

impl Store {
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
}
