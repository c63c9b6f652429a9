//! Context sets: what is being worked on, under names such as `files` and `ports`.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use crate::api::caller::Actor;
use crate::api::context_sets::{ContextItem, ContextMode, ContextSets, SetContext};
use crate::config::Config;
use crate::hint::origin::Origin;
use crate::hint::working_set::{INTENT, KNOWN, LAST_COMMAND, WorkingSet};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::scope::context::Context;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;
use crate::write::validate::check_said;

/// How long a change that changes nothing is not noted.
const NOTED_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// The most items of one set, and of all sets together.
const MAX_IN_SET: usize = 10;
pub(crate) const MAX_IN_ALL: usize = 50;

/// The longest item, in bytes.
const MAX_ITEM_BYTES: usize = 512;

/// The most sets, or items of one, that a call gives.
const MAX_GIVEN: usize = 100;

impl SetContext {
    /// The change that puts the items in their sets.
    pub(crate) fn plan(
        self,
        on: WriteContext<'_>,
    ) -> Result<(Vec<ChangeKind>, ContextSets), Error> {
        let context = self.context.map(|context| context.known_or_apart(on.knows));
        let mut after = on.working_set(context.as_ref());
        let before = after.clone();
        let mut answer = ContextSets::default();
        if self.sets.is_empty() {
            let words = "sets names no set; give one as in {\"files\": [\"src/main.rs\"]}";
            return Err(Error::invalid("sets", "empty", words));
        }
        check_count("sets", self.sets.len())?;
        for (name, items) in self.sets {
            let items = checked(&name, items, "sets", on.config)?;
            let is_new = !before.has(&name) && !KNOWN.contains(&name.as_str());
            if is_new && let Some(known) = before.nearest(&name) {
                answer.nearest.insert(name.clone(), known);
            }
            if self.mode == ContextMode::Replace {
                after.clear(&name);
            }
            merge(&mut after, &name, items, &mut answer.dropped);
        }
        after.trim(MAX_IN_ALL, None, &mut answer.dropped);
        answer.sets = after.by_name();
        Ok((on.works_on(after).into_iter().collect(), answer))
    }
}

impl WriteContext<'_> {
    /// What the caller works on where it is, as it will be the owner's from now on.
    pub(crate) fn working_set(&self, context: Option<&Context>) -> WorkingSet {
        // As with an origin, what a program states of where it is counts for nothing.
        let stated = context.filter(|_| self.by.actor != Actor::Program);
        let repo = stated.and_then(|context| context.facts().repo());
        let repo = repo.or(self.by.repo);
        let mut owner = WorkingSet::default();
        owner.client = self.by.client.map(Into::into);
        owner.session = self.by.session.map(Into::into);
        owner.repo = repo.map(Into::into);
        owner.at = self.now;
        owner.fit(self.config, self.now);
        let mut own = self.known_or(owner.clone());
        (own.client, own.at) = (owner.client, owner.at);
        (own.ended, own.told) = (false, false);
        own
    }

    /// What an owner works on.
    pub(crate) fn known_or(&self, owner: WorkingSet) -> WorkingSet {
        let mut known = self.store.working_sets();
        let known = known.find(|known| known.has_owner_of(&owner));
        known.map_or(owner, |known| WorkingSet::clone(known))
    }

    /// The change after which this is what its owner works on, if it is another thing.
    pub(crate) fn works_on(&self, after: WorkingSet) -> Option<ChangeKind> {
        let mut known = self.store.working_sets();
        let known = known.find(|known| known.has_owner_of(&after));
        let is_new = known.map_or(!after.is_empty(), |known| {
            let is_same = (known.ended, known.told) == (after.ended, after.told);
            // Somebody who does the same again is still there.
            let is_there = after.at - known.at <= NOTED_WITHIN;
            !is_same || !is_there || !known.items().eq(after.items())
        });
        let before = known.map_or_else(BTreeMap::new, |known| known.by_name());
        let now = after.by_name();
        let names = before
            .keys()
            .chain(now.keys().filter(|name| !before.contains_key(*name)));
        let changed = names.filter(|name| before.get(*name) != now.get(*name));
        is_new.then(|| ChangeKind::Context {
            sets: changed.cloned().collect(),
            working_set: Arc::new(after),
        })
    }
}

impl WorkingSet {
    /// Leaves out what of an owner cannot be stored, as of an origin, and a time to come.
    pub(crate) fn fit(&mut self, config: &Config, now: DateTime<Utc>) {
        let owner = Origin {
            client: self.client.take(),
            session: self.session.take(),
            repo: self.repo.take(),
            ..Origin::new("library")
        };
        if let Some(owner) = owner.fitting(config) {
            (self.repo, self.session, self.client) = (owner.repo, owner.session, owner.client);
        }
        self.at = self.at.min(now);
    }
}

/// Refuses more than anybody can mean, before any work is done.
fn check_count(field: &str, count: usize) -> Result<(), Error> {
    if count <= MAX_GIVEN {
        return Ok(());
    }
    let words = format!("{field} lists {count}, more than {MAX_GIVEN}; give the newest ones");
    Err(Error::invalid(field, "too_many", words))
}

/// Checks a set, and gives its items as texts.
pub(crate) fn checked(
    name: &Name,
    items: Vec<ContextItem>,
    field: &'static str,
    config: &Config,
) -> Result<Vec<String>, Error> {
    name.check(field)?;
    check_said(name, field, MAX_ITEM_BYTES, config)?;
    let field = format!("{field}.{name}");
    check_count(&field, items.len())?;
    let items = items.into_iter().map(|item| item.0);
    let check = |item: &String| check_said(item, &field, MAX_ITEM_BYTES, config);
    items.map(|item| check(&item).map(|()| item)).collect()
}

/// Adds items to a set as the newest, and lets the oldest of it go.
pub(crate) fn merge(
    after: &mut WorkingSet,
    name: &Name,
    items: impl IntoIterator<Item = String>,
    dropped: &mut BTreeMap<Name, Vec<String>>,
) {
    for item in items {
        after.add(name.clone(), item);
    }
    let is_single = [INTENT, LAST_COMMAND].contains(&name.as_str());
    after.trim(if is_single { 1 } else { MAX_IN_SET }, Some(name), dropped);
}
