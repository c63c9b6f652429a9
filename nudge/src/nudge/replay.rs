//! How a store follows another: what stands in it, and replaying that.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use chrono::{DateTime, Utc};

use crate::nudge::Nudge;
use crate::store::change::{Change, ChangeKind};

/// Following another store.
impl Nudge {
    /// Does again what changes say, in their order, without asking anybody:
    /// they were accepted once. A time later than now is read as now.
    pub fn replay(&self, changes: impl IntoIterator<Item = Change>) {
        let numbered = changes.into_iter().map(|change| {
            self.last_change.fetch_max(change.seq, Ordering::Release);
            change.kind
        });
        self.replay_kinds(numbered);
    }

    /// The same for changes that were stored without their numbers; [`Nudge::resume`] says how
    /// many there were.
    pub fn replay_kinds(&self, kinds: impl IntoIterator<Item = ChangeKind>) {
        let _writing = self.writing.lock();
        let now = self.clock.now();
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        for mut kind in kinds {
            kind.settle(&self.interner, now);
            store.apply(kind);
        }
    }

    /// Counts this store as the successor of one that began at `created_at`
    /// and had changes up to `last_change`, so that no number comes twice.
    ///
    /// Its hints come by [`Nudge::replay`], its name by
    /// [`Config::session_id`](crate::Config::session_id).
    pub fn resume(&self, created_at: DateTime<Utc>, last_change: u64) {
        let _writing = self.writing.lock();
        self.created_at
            .store(created_at.timestamp_millis(), Ordering::Relaxed);
        self.last_change.fetch_max(last_change, Ordering::Release);
    }

    /// Gives the changes that would make this store again, while nobody writes.
    ///
    /// They clear, then set what is live with its versions, times and uses, all
    /// under the number of the last change: after a replay
    /// [`Nudge::last_change`] is the same. `with` must not write to the store.
    pub fn standing<R>(&self, with: impl FnOnce(Vec<Change>) -> R) -> R {
        let _writing = self.writing.lock();
        let at = self.clock.now();
        let seq = self.last_change();
        let numbered = |kind| Change {
            seq,
            at,
            by: None,
            kind,
        };
        let changes = self.read().standing(at).map(numbered).collect();
        with(changes)
    }
}
