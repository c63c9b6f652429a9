//! `Store`: the maps and indices behind the lock; knows no lock and no clock.

pub(crate) mod automaton;
pub(crate) mod change;
pub(crate) mod counts;
mod expired;
pub(crate) mod interner;
mod marks;
mod names;
pub(crate) mod pattern;
pub(crate) mod slot;
pub(crate) mod stats;
pub(crate) mod text_index;
mod weight;
mod working_sets;

use std::collections::{BTreeSet, VecDeque};
use std::hash::BuildHasher;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use crate::hint::Hint;
use crate::hint::meta::{folded, has_tag};
use crate::hint::proposal::Proposal;
use crate::hint::working_set::WorkingSet;
use crate::model::name::Name;
use crate::store::change::{ChangeKind, Removed};
use crate::store::counts::Counts;
use crate::store::marks::Marks;
use crate::store::slot::{Slot, Variant};
use crate::store::text_index::{TextIndex, TextPosition};

/// All hints, and the ways to find them. Only [`Store::apply`] changes it.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// Slots by component and key. One flat table of numbers: the names are
    /// compared where they stand, in the slots.
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
    slots: Vec<Slot>,
    /// Numbers of slots that hold nothing and may be used again.
    free: Vec<u32>,
    components: HashMap<Name, Component>,
    /// Slots by tag, in lower case.
    tags: HashMap<Name, BTreeSet<u32>>,
    /// Slots by when a hint in them is dead.
    expiring: BTreeSet<(DateTime<Utc>, u32)>,
    text_index: TextIndex,
    counts: Counts,
    working_sets: Vec<Arc<WorkingSet>>,
    proposals: VecDeque<Proposal>,
    last_proposal: u64,
    marks: Marks,
    /// What stamps changes that are made here, and the highest counter that was seen.
    machine: Option<Name>,
    counter: u64,
    /// Slots in which a secret stood that is lost. Nothing but a get tells of them.
    lost: BTreeSet<(Name, Name)>,
}

/// The slots of a component, sorted by key.
#[derive(Debug, Default)]
pub(crate) struct Component {
    slots: Vec<u32>,
}

impl Store {
    /// Does what a change says.
    pub(crate) fn apply(&mut self, change: ChangeKind) {
        match change {
            ChangeKind::Set {
                component,
                key,
                hint,
                ..
            } => {
                self.find_again(&component, &key);
                self.see(hint.stamp.as_deref());
                self.put(&component, &key, hint, true);
            }
            ChangeKind::Bump(used) | ChangeKind::Fail(used) => {
                self.see(used.hint.stamp.as_deref());
                self.put(&used.component, &used.key, used.hint, false);
            }
            ChangeKind::Delete(gone) | ChangeKind::Expire(gone) => {
                self.find_again(&gone.component, &gone.key);
                self.remove(&gone);
            }
            // What is being worked on and what is proposed are no hints, and stay.
            ChangeKind::Clear => {
                *self = Store {
                    working_sets: std::mem::take(&mut self.working_sets),
                    proposals: std::mem::take(&mut self.proposals),
                    last_proposal: self.last_proposal,
                    marks: std::mem::take(&mut self.marks),
                    machine: self.machine.take(),
                    counter: self.counter,
                    ..Store::default()
                }
            }
            ChangeKind::Context { working_set, .. } => self.work_on(working_set),
            ChangeKind::Propose(proposal) => {
                self.dismiss(proposal.id);
                self.proposals
                    .retain(|known| known.waits(proposal.proposed_at));
                self.proposals.push_back(proposal);
            }
            ChangeKind::Dismiss { proposal, .. } => self.dismiss(proposal),
            ChangeKind::Mark(mark) => {
                self.see(mark.stamp.as_ref());
                self.marks.put(mark);
            }
            ChangeKind::Unmark(mark) => self.marks.remove(&mark),
            ChangeKind::Machine { machine, counter } => self.name(machine, counter),
            ChangeKind::Lost { component, key } => {
                self.lost.insert((component, key));
            }
        }
    }

    /// What is remembered of values that do not stand.
    pub(crate) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Whether a secret stood in a slot that is lost.
    pub(crate) fn has_lost(&self, component: &Name, key: &Name) -> bool {
        !self.lost.is_empty() && self.lost.contains(&(component.clone(), key.clone()))
    }

    /// Forgets that a secret of a slot is lost: whoever knows has seen to it.
    fn find_again(&mut self, component: &Name, key: &Name) {
        if !self.lost.is_empty() {
            self.lost.remove(&(component.clone(), key.clone()));
        }
    }

    fn dismiss(&mut self, id: u64) {
        self.last_proposal = self.last_proposal.max(id);
        self.proposals.retain(|known| known.id != id);
    }

    /// The slot of a component and a key.
    pub(crate) fn slot(&self, component: &str, key: &str) -> Option<&Slot> {
        let hash = self.hash(component, key);
        let is_it = |number: &u32| is_named(&self.slots, *number, (component, key));
        self.slot_at(*self.index.find(hash, is_it)?)
    }

    pub(crate) fn slot_at(&self, number: u32) -> Option<&Slot> {
        self.slots.get(number as usize)
    }

    /// Every slot that holds something.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| !slot.variants.is_empty())
    }

    pub(crate) fn component(&self, name: &str) -> Option<&Component> {
        self.components.get(name)
    }

    /// The slots of a component, sorted by key.
    pub(crate) fn slots_of(&self, component: &Component) -> impl Iterator<Item = &Slot> {
        let numbers = component.slots.iter();
        numbers.filter_map(|number| self.slot_at(*number))
    }

    /// The components, sorted by name.
    pub(crate) fn components(&self) -> Vec<(&Name, &Component)> {
        let mut components: Vec<_> = self.components.iter().collect();
        components.sort_unstable_by_key(|(name, _)| *name);
        components
    }

    /// The slots in which some hint has a tag, which is given in lower case.
    pub(crate) fn tagged(&self, tag: &str) -> Option<&BTreeSet<u32>> {
        self.tags.get(tag)
    }

    /// Every tag with the slots in which some hint has it.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&Name, &BTreeSet<u32>)> {
        self.tags.iter()
    }

    /// The hints that wait to be accepted, the oldest first.
    pub(crate) fn proposals(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Proposal> {
        self.proposals.iter().filter(move |one| one.waits(now))
    }

    /// The number of the next one.
    pub(crate) fn next_proposal(&self) -> u64 {
        self.last_proposal.saturating_add(1)
    }

    /// How much there is of everything, what is dead but still here included.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(crate) fn text_index(&self) -> &TextIndex {
        &self.text_index
    }

    fn hash(&self, component: &str, key: &str) -> u64 {
        self.hasher.hash_one((component, key))
    }

    /// Puts a hint where the variant of its scope is, or beside the others. A use
    /// changes nothing that is looked up.
    fn put(&mut self, component: &Name, key: &Name, hint: Arc<Hint>, is_set: bool) {
        let number = self.number(component, key);
        let Some(slot) = self.slots.get_mut(number as usize) else {
            return;
        };
        let mut variants = slot.variants.iter_mut();
        if let Some(variant) = variants.find(|v| v.is_for(hint.meta.scope.as_ref())) {
            let old = std::mem::replace(&mut variant.hint, hint);
            let (new, place) = (Arc::clone(&variant.hint), variant.place);
            if !is_set {
                return;
            }
            self.counts.replace(component, Some(&old), Some(&new));
            if !same_text(&old, &new) {
                let to = self.text_index.add(number, key, &new);
                variant.place = to;
                self.forget_text(place);
            }
            if old.meta.tags != new.meta.tags {
                self.untag(number, &old);
                self.tag(number, &new);
            }
            if old.expires_at != new.expires_at {
                self.unschedule(number, &old);
                self.schedule(number, &new);
            }
            return;
        }
        let place = self.text_index.add(number, key, &hint);
        slot.variants.reserve_exact(1);
        slot.variants.push(Variant::new(Arc::clone(&hint), place));
        self.tag(number, &hint);
        self.schedule(number, &hint);
        self.counts.replace(component, None, Some(&hint));
    }

    /// The number of a slot, which is made where there is none.
    fn number(&mut self, component: &Name, key: &Name) -> u32 {
        let hash = self.hash(component, key);
        let (slots, hasher) = (&self.slots, &self.hasher);
        let entry = self.index.entry(
            hash,
            |number| is_named(slots, *number, (component, key)),
            |number| {
                let slot = slots.get(*number as usize);
                slot.map_or(0, |slot| hasher.hash_one((&*slot.component, &*slot.key)))
            },
        );
        let vacant = match entry {
            Entry::Occupied(entry) => return *entry.get(),
            Entry::Vacant(vacant) => vacant,
        };
        let slot = Slot {
            component: component.clone(),
            key: key.clone(),
            variants: Vec::new(),
        };
        let number = match self.free.pop() {
            Some(number) => number,
            None => u32::try_from(slots.len()).unwrap_or(u32::MAX),
        };
        vacant.insert(number);
        match self.slots.get_mut(number as usize) {
            Some(hole) => *hole = slot,
            None => self.slots.push(slot),
        }
        let component = self.components.entry(component.clone()).or_default();
        let at = component.place(&self.slots, key);
        component.slots.insert(at, number);
        number
    }

    /// Takes away the variant with a scope, and the slot with its last one.
    fn remove(&mut self, gone: &Removed) {
        let (component, key, scope) = (&gone.component, &gone.key, gone.scope.as_ref());
        let hash = self.hash(component, key);
        let is_it = |number: &u32| is_named(&self.slots, *number, (component, key));
        let Ok(entry) = self.index.find_entry(hash, is_it) else {
            return;
        };
        let number = *entry.get();
        let Some(slot) = self.slots.get_mut(number as usize) else {
            return;
        };
        let Some(at) = slot.variants.iter().position(|v| v.is_for(scope)) else {
            return;
        };
        let Variant { hint, place, .. } = slot.variants.remove(at);
        let gone = slot.variants.is_empty();
        if gone {
            entry.remove();
            *slot = Slot::default();
            self.free.push(number);
        }
        self.counts.replace(component, Some(&hint), None);
        if let Some(owner) = self.components.get_mut(component) {
            owner.slots.retain(|slot| !gone || *slot != number);
            if owner.slots.is_empty() {
                self.components.remove(component);
            }
        }
        self.forget_text(place);
        self.untag(number, &hint);
        self.unschedule(number, &hint);
    }

    fn forget_text(&mut self, place: TextPosition) {
        for moved in self.text_index.remove(place) {
            let slot = self.slots.get_mut(moved.slot as usize);
            let mut variants = slot.into_iter().flat_map(|slot| &mut slot.variants);
            if let Some(variant) = variants.find(|variant| variant.place == moved.from) {
                variant.place = moved.to;
            }
        }
    }

    fn tag(&mut self, number: u32, hint: &Hint) {
        for tag in hint.meta.tags.iter() {
            self.tags.entry(folded(tag)).or_default().insert(number);
        }
    }

    /// Takes a slot off the tags of a hint that none of its variants has any more.
    fn untag(&mut self, number: u32, hint: &Hint) {
        for tag in hint.meta.tags.iter() {
            let tag = folded(tag);
            let slot = self.slots.get(number as usize).into_iter();
            let mut variants = slot.flat_map(|slot| &slot.variants);
            if variants.any(|variant| has_tag(&variant.hint, &tag)) {
                continue;
            }
            if let Some(slots) = self.tags.get_mut(&tag) {
                slots.remove(&number);
                if slots.is_empty() {
                    self.tags.remove(&tag);
                }
            }
        }
    }
}

impl Component {
    /// Where the slot of a key is or would be.
    fn place(&self, slots: &[Slot], key: &Name) -> usize {
        self.slots.partition_point(|number| {
            let slot = slots.get(*number as usize);
            slot.is_some_and(|slot| slot.key < *key)
        })
    }
}

/// Whether a slot has these names.
fn is_named(slots: &[Slot], number: u32, (component, key): (&str, &str)) -> bool {
    let slot = slots.get(number as usize);
    slot.is_some_and(|slot| slot.key == *key && slot.component == *component)
}

fn same_text(old: &Hint, new: &Hint) -> bool {
    old.value == new.value && old.meta.reason == new.meta.reason && old.meta.tags == new.meta.tags
}
