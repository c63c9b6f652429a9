//! What everybody is working on.

use std::sync::Arc;

use crate::hint::working_set::WorkingSet;
use crate::store::Store;

impl Store {
    /// Takes a set in the place of its owner's.
    pub(super) fn work_on(&mut self, working_set: Arc<WorkingSet>) {
        let all = &mut self.working_sets;
        all.retain(|known| !known.has_owner_of(&working_set));
        if !working_set.is_empty() {
            all.push(working_set);
        }
        all.drain(..all.len().saturating_sub(WorkingSet::MOST_OWNERS));
    }

    /// The working set of each owner, the one that changed last at the end.
    pub(crate) fn working_sets(&self) -> impl DoubleEndedIterator<Item = &Arc<WorkingSet>> {
        self.working_sets.iter()
    }
}
