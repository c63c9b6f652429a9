//! Looking after a store: sweeping, counting, replaying.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::answer::Stats;
use crate::change::Change;
use crate::config::Config;
use crate::error::Error;
use crate::gate::Gate;
use crate::nudge::Nudge;

/// Looking after a store.
impl Nudge {
    /// Lets go of the hints that have expired, and says how many they were.
    ///
    /// Reads never show them in any case; this gives their memory back.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Nudge;
    ///
    /// assert_eq!(Nudge::default().sweep()?, 0);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn sweep(&self) -> Result<usize, Error> {
        self.write(|desk| {
            let changes: Vec<Change> = desk.store.expire(desk.now).collect();
            let count = changes.len();
            Ok((changes, count))
        })
    }

    /// Says how much the store holds and what is used most.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let now = self.clock.now();
        Stats::of(&self.read(), now)
    }

    /// What exports call this session.
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// How the store was set up.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The environment variables that some scope mentions, sorted: all that a
    /// caller needs to state.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, Scope, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// let scope = Scope::new().env_match("NODE_ENV", "test");
    /// nudge.set_hint(SetHint::new("api", "port", "8081").scope(scope))?;
    /// assert_eq!(nudge.env_names(), ["NODE_ENV"]);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn env_names(&self) -> Vec<String> {
        let mentions = |gate: &Gate| gate.env_names().next().is_some();
        if !self.pools.gates.any(mentions) {
            return Vec::new();
        }
        let now = self.clock.now();
        let store = self.read();
        let live = store.slots().flat_map(|slot| slot.live(now));
        let gates = live.filter_map(|hint| hint.meta.scope.as_deref());
        let names: BTreeSet<&String> = gates.flat_map(Gate::env_names).collect();
        names.into_iter().cloned().collect()
    }

    /// The number of the last change; 0 when there was none.
    #[must_use]
    pub fn last_change(&self) -> u64 {
        self.last_change.load(Ordering::Acquire)
    }

    /// Does again what changes say, in their order, without asking anybody:
    /// they were accepted once.
    pub fn replay(&self, changes: impl IntoIterator<Item = Change>) {
        let _writing = self.writing.lock();
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        for mut change in changes {
            self.last_change.fetch_max(change.seq, Ordering::Release);
            self.clock.not_before(change.at);
            change.share(&self.pools);
            store.apply(change);
        }
    }
}
