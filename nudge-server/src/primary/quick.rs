//! Which calls are made by the thread that answers all others.

use std::sync::Arc;

use nudge::Cost;

use super::Primary;

/// The longest call that is surely quick.
pub(crate) const QUICK: usize = 256 * 1024;

impl Primary {
    /// Whether a call of this cost may be made right here. The store is quick and waits for
    /// nothing but its own lock, unless somebody has it do something in bulk.
    pub(crate) fn is_quick(&self, cost: Cost) -> bool {
        let is_quick = match cost {
            Cost::Quick => true,
            Cost::Disk => !self.is_observing(),
            Cost::Search | Cost::Bulk => false,
        };
        is_quick && Arc::strong_count(&self.bulk) == 1
    }

    /// Makes a call on a thread of its own; none where that has failed.
    pub(crate) async fn in_bulk<T: Send + 'static>(
        self: &Arc<Primary>,
        call: impl FnOnce(&Primary) -> T + Send + 'static,
    ) -> Option<T> {
        let (primary, bulk) = (Arc::clone(self), Arc::clone(&self.bulk));
        let called = tokio::task::spawn_blocking(move || {
            let answer = call(&primary);
            drop(bulk);
            answer
        });
        called.await.ok()
    }
}
