//! What a listing and an export show, in order.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{ComponentEntry, Components, Exported};
use crate::api::caller::Caller;
use crate::api::import_export::{Export, ListComponents};
use crate::api::payload::{Named, Offer, Slots, Snapshot};
use crate::api::reach::Reach;
use crate::hint::Hint;
use crate::hint::meta::folded;
use crate::hint::proposal::Proposal;
use crate::model::name::Name;
use crate::store::slot::Slot;
use crate::store::{Component, Store};

/// The live hints that are wanted, by component and key, all sorted.
pub(crate) fn hints_of(
    store: &Store,
    now: DateTime<Utc>,
    mut is_wanted: impl FnMut(&Slot, &Hint) -> bool,
) -> Named<Slots> {
    let mut variants = |slot: &Slot| {
        let wanted = slot.live(now).filter(|hint| is_wanted(slot, hint));
        let mut hints: Vec<Arc<Hint>> = wanted.cloned().collect();
        hints.sort_by(|a, b| a.scope().cmp(&b.scope()));
        (slot.key.clone(), hints)
    };
    let mut component = |owner: &Component| -> Slots {
        let slots = store.slots_of(owner).map(&mut variants);
        slots.filter(|(_, hints)| !hints.is_empty()).collect()
    };
    let components = store.components().into_iter();
    components
        .map(|(name, owner)| (name.clone(), component(owner)))
        .filter(|(_, slots)| !slots.is_empty())
        .collect()
}

impl ListComponents {
    /// The components with what is live, may be read and, where a context is given, is eligible.
    pub(crate) fn list(&self, store: &Store, reach: &Reach<'_>, now: DateTime<Utc>) -> Components {
        let context = self.context.as_ref();
        let counted = |hint: &Hint| context.is_none_or(|context| hint.applies(context.facts()));
        let entry = |(name, owner): (&Name, &Component)| {
            let slots = store.slots_of(owner).filter_map(|slot| {
                let live = slot.readable(now, reach);
                let count = live.filter(|hint| counted(hint)).count();
                (count > 0).then_some((&slot.key, count))
            });
            let (mut keys, mut hint_count) = (Vec::new(), 0);
            for (key, count) in slots {
                hint_count += count;
                if self.component.is_some() {
                    keys.push(key.clone());
                }
            }
            (hint_count > 0).then(|| ComponentEntry {
                name: name.clone(),
                hint_count,
                keys: self.component.is_some().then_some(keys),
            })
        };
        let components = match &self.component {
            Some(name) => {
                let owners = store.components_like(name).into_iter();
                owners.filter_map(entry).collect()
            }
            None => store.components().into_iter().filter_map(entry).collect(),
        };
        Components { components }
    }
}

impl Export {
    /// What to write out, all sorted, and how many secrets are not in it.
    pub(crate) fn collect(
        &self,
        store: &Store,
        (by, reach): (&Caller<'_>, &Reach<'_>),
        (created_at, session_id): (DateTime<Utc>, Arc<str>),
        now: DateTime<Utc>,
    ) -> Exported {
        let tags: BTreeSet<Name> = self.tags.iter().map(folded).collect();
        let mut left_out = 0;
        let only = self.component.as_ref().map(|name| {
            let owners = store.components_like(name).into_iter();
            owners.map(|(name, _)| name).collect::<BTreeSet<_>>()
        });
        let is_wanted = |slot: &Slot, hint: &Hint| {
            let mut had = hint.meta.tags.iter().map(folded);
            let is_tagged = tags.is_empty() || had.any(|tag| tags.contains(&tag));
            let is_meant = only
                .as_ref()
                .is_none_or(|only| only.contains(&slot.component));
            // What the project's own file says is there already.
            is_tagged && is_meant && !hint.is_projects() && reach.has(hint)
        };
        let has_secrets = self.include_secrets && !self.seed;
        let components = hints_of(store, now, |slot, hint| {
            let is_left_out = is_wanted(slot, hint) && hint.is_secret() && !has_secrets;
            left_out += usize::from(is_left_out);
            is_wanted(slot, hint) && !is_left_out
        });
        // What is proposed or worked on belongs to no component and no tag.
        let is_all = self.component.is_none() && self.tags.is_empty() && !self.seed;
        let waiting = store.proposals(now).filter(|one| is_all && by.may_see(one));
        let waiting = waiting.filter(|one| reach.has(&one.hint));
        let (open, secret): (Vec<_>, Vec<_>) =
            waiting.partition(|one| self.include_secrets || !one.hint.is_secret());
        let offer = |one: &Proposal| Offer {
            component: one.component.clone(),
            key: one.key.clone(),
            hint: Arc::clone(&one.hint),
            why: one.why.clone(),
            client: one.client.clone(),
            delete: one.delete,
        };
        let working_sets = store
            .working_sets()
            .filter(|set| is_all && reach.has_work(set));
        let working_sets = working_sets.cloned();
        let (open_sets, work): (Vec<_>, Vec<_>) =
            working_sets.partition(|set| set.repo.is_none() && set.session.is_none());
        let payload = Snapshot {
            created_at,
            session_id,
            components,
            proposals: open.into_iter().map(offer).collect(),
            context_sets: open_sets
                .first()
                .map(|set| set.by_name())
                .unwrap_or_default(),
            work,
            is_seed: self.seed,
        };
        Exported {
            payload,
            secrets_left_out: left_out + secret.len(),
        }
    }
}
