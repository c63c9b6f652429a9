//! What a store is without the hints whose time to live is over.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::hint::Hint;
use crate::store::Store;
use crate::store::change::{ChangeKind, Removed};
use crate::store::slot::Slot;

impl Store {
    /// Notes when a hint of a slot is dead.
    pub(super) fn schedule(&mut self, number: u32, hint: &Hint) {
        if let Some(end) = hint.expires_at {
            self.expiring.insert((end, number));
        }
    }

    /// Forgets that, unless another hint of the slot is dead then.
    pub(super) fn unschedule(&mut self, number: u32, hint: &Hint) {
        let Some(end) = hint.expires_at else { return };
        let slot = self.slot_at(number).into_iter();
        let mut variants = slot.flat_map(|slot| &slot.variants);
        if !variants.any(|variant| variant.hint.expires_at == Some(end)) {
            self.expiring.remove(&(end, number));
        }
    }

    /// The hints that are dead at `now` but still here.
    fn dead(&self, now: DateTime<Utc>) -> impl Iterator<Item = (&Slot, &Arc<Hint>)> {
        let due = self.expiring.iter().take_while(move |(end, _)| *end <= now);
        let due: BTreeSet<u32> = due.map(|(_, number)| *number).collect();
        let slots = due.into_iter().filter_map(|number| self.slot_at(number));
        slots.flat_map(move |slot| {
            let dead = slot.hints().filter(move |hint| hint.is_expired(now));
            dead.map(move |hint| (slot, hint))
        })
    }

    /// The changes that take away what is dead at `now`.
    pub(crate) fn expire(&self, now: DateTime<Utc>) -> impl Iterator<Item = ChangeKind> {
        self.dead(now).map(|(slot, hint)| {
            let names = slot.names();
            ChangeKind::Expire(Removed::new(names, hint))
        })
    }

    /// The changes that make this store again, without what is dead at `now`.
    pub(crate) fn standing(&self, now: DateTime<Utc>) -> impl Iterator<Item = ChangeKind> {
        let sets = self.slots().flat_map(move |slot| {
            // What a project's own file says is read from there again.
            let own = slot.live(now).filter(|hint| !hint.is_projects());
            own.map(move |hint| {
                let names = slot.names();
                ChangeKind::set(names, None, Arc::clone(hint))
            })
        });
        let marks = self.lost.iter().cloned();
        let marks = marks.map(|(component, key)| ChangeKind::Lost { component, key });
        let marks = marks.chain(self.marks().iter().cloned().map(ChangeKind::Mark));
        let last = Some(self.last_proposal).filter(|last| *last > 0);
        let last = last.map(|proposal| ChangeKind::Dismiss {
            proposal,
            component: None,
            key: None,
        });
        let waiting = self.proposals(now).cloned().map(ChangeKind::Propose);
        let working_sets = self.working_sets().cloned();
        let working_sets = working_sets.map(|working_set| ChangeKind::Context {
            working_set,
            sets: Arc::default(),
        });
        let machine = self.machine().map(|machine| ChangeKind::Machine {
            machine: machine.clone(),
            counter: self.counter,
        });
        std::iter::once(ChangeKind::Clear)
            .chain(machine)
            .chain(sets)
            // After the sets, which would take the marks away.
            .chain(marks)
            .chain(working_sets)
            // So that no number comes twice, whatever still waits.
            .chain(last)
            .chain(waiting)
    }
}
