//! What came of telling, as a store keeps it.

use crate::api::receipts::Receipts;
use crate::nudge::Nudge;

/// Receipts.
impl Nudge {
    /// What hooks told agents today, and what came of it.
    ///
    /// # Examples
    ///
    /// ```
    /// let receipts = nudge::Nudge::default().receipts();
    /// assert_eq!(receipts.to_string(), "today: 0 hints told, 0 wrong commands avoided");
    /// ```
    #[must_use]
    pub fn receipts(&self) -> Receipts {
        self.receipts.lock().clone().on(self.clock.now())
    }

    /// Goes on with the receipts of an earlier process; those of another day are dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// let (old, new) = (nudge::Nudge::default(), nudge::Nudge::default());
    /// new.resume_receipts(old.receipts());
    /// assert_eq!(new.receipts(), old.receipts());
    /// ```
    pub fn resume_receipts(&self, receipts: Receipts) {
        *self.receipts.lock() = receipts.on(self.clock.now());
    }

    pub(crate) fn change_receipts(&self, change: impl FnOnce(&mut Receipts)) {
        let now = self.clock.now();
        let mut receipts = self.receipts.lock();
        *receipts = std::mem::take(&mut *receipts).on(now);
        change(&mut receipts);
    }

    /// Whether a text holds the value of a hint that is marked as secret.
    pub(crate) fn has_secret_in(&self, text: &str) -> bool {
        let now = self.clock.now();
        let store = self.read();
        let mut live = store.slots().flat_map(|slot| slot.live(now));
        let holds = |value: &str| !value.is_empty() && text.contains(value);
        live.any(|hint| hint.is_secret() && holds(&hint.value.text()))
    }
}
