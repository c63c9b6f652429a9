//! `WorkingSets`: what everybody is working on.

use std::sync::Arc;

use crate::hint::working_set::WorkingSet;

/// How many owners have sets; who was silent for longest loses theirs.
const MOST_OWNERS: usize = 64;

/// The working set of each owner, the one that changed last at the end.
#[derive(Debug, Default)]
pub(crate) struct WorkingSets(Vec<Arc<WorkingSet>>);

impl WorkingSets {
    /// Takes a set in the place of its owner's.
    pub(crate) fn put(&mut self, working_set: Arc<WorkingSet>) {
        self.0.retain(|known| !known.has_owner_of(&working_set));
        if !working_set.is_empty() {
            self.0.push(working_set);
        }
        let spare = self.0.len().saturating_sub(MOST_OWNERS);
        self.0.drain(..spare);
    }

    /// All of them, the one that changed last at the end.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<WorkingSet>> {
        self.0.iter()
    }
}
