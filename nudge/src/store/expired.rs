//! What a store is without the hints whose time to live is over.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::hint::Hint;
use crate::store::Store;
use crate::store::change::{Change, What};
use crate::store::slot::Slot;

impl Store {
    /// The hints that are dead at `now` but still here.
    fn dead(&self, now: DateTime<Utc>) -> impl Iterator<Item = (&Slot, &Arc<Hint>)> {
        let due: BTreeSet<u32> = self
            .expiring
            .iter()
            .take_while(|(end, _)| *end <= now)
            .map(|(_, number)| *number)
            .collect();
        due.into_iter()
            .filter_map(|number| self.slot_at(number))
            .flat_map(move |slot| {
                let dead = slot.variants.iter().filter(move |v| v.hint.is_expired(now));
                dead.map(move |variant| (slot, &variant.hint))
            })
    }

    /// The changes that take away what is dead at `now`.
    pub(crate) fn expire(&self, now: DateTime<Utc>) -> impl Iterator<Item = Change> {
        self.dead(now).map(move |(slot, hint)| {
            let names = (slot.component.clone(), slot.key.clone());
            Change::new(What::Expire, now, names, Some(hint), None)
        })
    }

    /// The changes that make this store anew, without what is dead at `now`.
    pub(crate) fn standing(&self, now: DateTime<Utc>) -> impl Iterator<Item = Change> {
        let sets = self.slots().flat_map(move |slot| {
            slot.live(now).map(move |hint| {
                let names = (slot.component.clone(), slot.key.clone());
                Change::new(What::Set, now, names, None, Some(Arc::clone(hint)))
            })
        });
        let last = Some(self.last_proposal).filter(|last| *last > 0);
        let last = last.map(|last| Change::dismissed(now, last));
        let waiting = self.proposals().map(move |one| Change::propose(now, one));
        let working_set = Some(&self.working_set).filter(|working_set| !working_set.is_empty());
        let working_set =
            working_set.map(|working_set| Change::context(now, Arc::clone(working_set)));
        std::iter::once(Change::clear(now))
            .chain(sets)
            .chain(working_set)
            // So that no number comes twice, whatever still waits.
            .chain(last)
            .chain(waiting)
    }
}
