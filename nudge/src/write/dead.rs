//! `Dead`: which hints a plan lets expire.

use std::collections::BTreeMap;

use crate::config::Size;
use crate::model::name::Name;
use crate::store::Store;
use crate::store::change::ChangeKind;

/// How many hints the changes let expire, by component, and how many bytes they take.
pub(crate) struct Dead(BTreeMap<Name, usize>, usize);

impl Dead {
    pub(crate) fn new(changes: &[ChangeKind], store: &Store) -> Dead {
        let (mut dead, mut bytes) = (BTreeMap::new(), 0);
        for change in changes {
            if let ChangeKind::Expire(gone) = change {
                *dead.entry(gone.component.clone()).or_default() += 1;
                let slot = store.slot(&gone.component, &gone.key);
                let mut variants = slot.into_iter().flat_map(|slot| &slot.variants);
                let variant = variants.find(|variant| variant.is_for(gone.scope.as_ref()));
                bytes += variant.map_or(0, |variant| variant.hint.bytes());
            }
        }
        Dead(dead, bytes)
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
            bytes: store.bytes().saturating_sub(self.1),
        }
    }
}
