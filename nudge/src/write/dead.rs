//! `Dead`: which hints a plan lets expire.

use std::collections::BTreeMap;

use crate::config::Size;
use crate::model::name::Name;
use crate::store::Store;
use crate::store::change::ChangeKind;

/// How many hints the changes let expire, by component.
pub(crate) struct Dead(BTreeMap<Name, usize>);

impl Dead {
    pub(crate) fn new(changes: &[ChangeKind]) -> Dead {
        let mut dead = BTreeMap::new();
        for change in changes {
            if let ChangeKind::Expire(gone) = change {
                *dead.entry(gone.component.clone()).or_default() += 1;
            }
        }
        Dead(dead)
    }

    pub(crate) fn of(&self, component: &Name) -> usize {
        self.0.get(component).copied().unwrap_or(0)
    }

    /// What a store holds that is not dead.
    pub(crate) fn size(&self, store: &Store) -> Size {
        let gone = |(name, dead): &(&Name, &usize)| {
            store
                .component(name)
                .is_none_or(|owner| owner.hints == **dead)
        };
        Size {
            components: store.component_count() - self.0.iter().filter(gone).count(),
            hints_in_component: 0,
            hints: store.hints() - self.0.values().sum::<usize>(),
        }
    }
}
