//! What a set, a delete or a bump changes, worked out before anything is done.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{Bumped, Deleted, HintSet};
use crate::api::caller::{Actor, Caller};
use crate::api::selector::{Bump, DeleteHint, Outcome, Which};
use crate::api::set_hint::{MetaPatch, Patch, SetHint};
use crate::config::{Config, Size};
use crate::hint::origin::{Origin, origin_of};
use crate::hint::{Hint, HintMeta, HintValue, Source};
use crate::model::error::{Error, ErrorData, ErrorKind};
use crate::model::name::{Name, check_names};
use crate::model::number::in_range;
use crate::model::scope::Scope;
use crate::rank::query::QueryContext;
use crate::rank::select::{ambiguous, pick};
use crate::scope::context::Context;
use crate::store::Store;
use crate::store::change::{ChangeKind, Removed, Used};
use crate::store::interner::Interner;
use crate::write::import::Dead;
use crate::write::proposal::overwrites_user;
use crate::write::validate::check_hint;

/// What a plan is made with.
#[derive(Clone, Copy)]
pub(crate) struct WriteContext<'a> {
    pub(crate) store: &'a Store,
    pub(crate) interner: &'a Interner,
    pub(crate) config: &'a Config,
    pub(crate) now: DateTime<Utc>,
    /// Who asks.
    pub(crate) by: &'a Caller<'a>,
}

impl SetHint {
    /// The change that sets the hint, or that proposes it.
    pub(crate) fn plan(
        mut self,
        on: WriteContext<'_>,
    ) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let origin = on.origin();
        on.stamp(&mut self.meta, origin.as_ref());
        if let Some(repo) = on.by.repo.filter(|_| on.by.scopes_writes)
            && self.meta.scope == Patch::Keep
            && !on.holds(&self.component, &self.key)
        {
            self.meta.scope = Patch::Set(Scope::new().repo(repo));
        }
        self.plan_as(on, origin, None)
    }

    /// The change that sets the hint, after those that make room for it; or the
    /// one that proposes it, where `why` says so or the user's word stands against it.
    pub(crate) fn plan_as(
        self,
        on: WriteContext<'_>,
        origin: Option<Origin>,
        why: Option<Box<str>>,
    ) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let SetHint {
            component,
            key,
            value,
            mut meta,
            if_match_version,
        } = self;
        let matcher_of = |scope| on.interner.matcher_for(scope, &value);
        let given = match std::mem::take(&mut meta.scope) {
            Patch::Keep => None,
            Patch::Clear => Some(matcher_of(Scope::new())?),
            Patch::Set(scope) => Some(matcher_of(scope)?),
        };
        let slot = on.store.slot(&component, &key);
        let live: Vec<&Arc<Hint>> = slot
            .into_iter()
            .flat_map(|slot| slot.live(on.now))
            .collect();
        let before = match (&given, &live[..]) {
            (Some(matcher), live) => live.iter().find(|hint| hint.meta.scope == *matcher),
            (None, []) => None,
            (None, [only]) => Some(only),
            (None, several) => {
                return Err(ambiguous(ErrorKind::Conflict, (&component, &key), several));
            }
        };
        let before = before.copied();
        check_version(if_match_version, before)?;
        let matcher = match (given, before) {
            (Some(matcher), _) => matcher,
            (None, Some(before)) if value.systems().is_empty() => before.meta.scope.clone(),
            (None, None) => matcher_of(Scope::new())?,
            (None, Some(before)) => matcher_of(before.scope().cloned().unwrap_or_default())?,
        };
        let mut meta = meta.onto(
            before.map(|hint| &hint.meta),
            matcher,
            &on.config.default_ttl,
            on.interner,
        );
        let origin = origin.map(|origin| Box::new(origin.stamped(on.now)));
        meta.origin = origin_of(&value, origin, before.map(|hint| &**hint));
        let hint = Arc::new(after(before, value, meta, on.now));
        check_names(&component, &key)?;
        check_hint(&component, &key, &hint, on.config)?;

        let names = || (component.clone(), key.clone());
        if let Some(why) = why.or_else(|| overwrites_user(before?, &hint)) {
            let stands = (before, live.len());
            return Ok(on.propose_instead((component, key), hint, why, stands));
        }
        let mut changes = Vec::with_capacity(1);
        match before {
            None => changes = make_room(&component, on)?,
            // A path that is meant on fewer systems takes its variant along.
            Some(before) if before.meta.scope != hint.meta.scope => {
                changes.push(ChangeKind::Delete(Removed::new(names(), before)));
            }
            Some(_) => {}
        }
        if changes.is_empty() && slot.is_some_and(|slot| slot.variants.len() > live.len()) {
            changes.extend(on.store.expire(on.now));
        }
        changes.push(ChangeKind::set(names(), before, Arc::clone(&hint)));
        let created = before.is_none();
        let variants = live.len() + usize::from(created);
        Ok((
            changes,
            HintSet {
                component,
                key,
                hint,
                created,
                variants,
                proposal: None,
            },
        ))
    }
}

/// The hint that stands where `before` stood.
fn after(before: Option<&Arc<Hint>>, value: HintValue, meta: HintMeta, now: DateTime<Utc>) -> Hint {
    // What became of an old value says nothing of a new one.
    let used = before.filter(|hint| hint.value == value);
    Hint {
        version: before.map_or(1, |hint| hint.version.saturating_add(1)),
        created_at: before.map_or(now, |hint| hint.created_at),
        updated_at: now,
        last_used_at: used.and_then(|hint| hint.last_used_at),
        use_count: used.map_or(0, |hint| hint.use_count),
        fail_count: used.map_or(0, |hint| hint.fail_count),
        first_failed_at: used.and_then(|hint| hint.first_failed_at),
        last_failed_at: used.and_then(|hint| hint.last_failed_at),
        claimed_uses: used.map_or(0, |hint| hint.claimed_uses),
        claimed_failures: used.map_or(0, |hint| hint.claimed_failures),
        proven: used.is_some_and(|hint| hint.proven),
        value,
        meta,
    }
}

impl DeleteHint {
    /// The changes that take the hints away.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Deleted), Error> {
        let DeleteHint {
            component,
            key,
            scope,
            context,
            all,
            ..
        } = self;
        let which = Which::new(scope, context, all)?;
        let previous = on.pick((&component, &key), which)?;
        let delete = |hint: &Arc<Hint>| {
            let names = (component.clone(), key.clone());
            ChangeKind::Delete(Removed::new(names, hint))
        };
        let changes = previous.iter().map(delete).collect();
        Ok((
            changes,
            Deleted {
                component,
                key,
                deleted: true,
                previous,
            },
        ))
    }
}

impl Bump {
    /// The change that counts the use, or the failure.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Bumped), Error> {
        let Bump {
            component,
            key,
            delta,
            outcome,
            scope,
            context,
            ..
        } = self;
        let delta = in_range("delta", delta.unwrap_or(1), 1, 1000)?;
        let which = Which::new(scope, context, false)?;
        let picked = on.pick((&component, &key), which)?;
        let Some(before) = picked.first() else {
            return Err(Error::new(ErrorKind::Internal, "a slot without variants"));
        };
        let mut hint = Hint::clone(before);
        let kind = match outcome.unwrap_or_default() {
            Outcome::Ok => {
                hint.use_count = hint.use_count.saturating_add(delta as u64);
                hint.last_used_at = Some(on.now);
                ChangeKind::Bump
            }
            Outcome::Fail => {
                hint.fail_count = hint.fail_count.saturating_add(delta as u64);
                hint.first_failed_at = hint.first_failed_at.or(Some(on.now));
                hint.last_failed_at = Some(on.now);
                ChangeKind::Fail
            }
        };
        let hint = Arc::new(hint);
        let used = Used {
            component: component.clone(),
            key: key.clone(),
            hint: Arc::clone(&hint),
        };
        Ok((
            vec![kind(used)],
            Bumped {
                component,
                key,
                hint,
            },
        ))
    }
}

impl WriteContext<'_> {
    /// Where what the caller sets comes from, as far as it can be stored.
    pub(crate) fn origin(&self) -> Option<Origin> {
        self.by
            .origin()
            .and_then(|origin| origin.fitting(self.config))
    }

    /// Says who a write comes from. An agent cannot claim to be the user.
    pub(crate) fn stamp(&self, meta: &mut MetaPatch, origin: Option<&Origin>) {
        if self.by.actor != Actor::Agent {
            return;
        }
        if !matches!(&meta.source, Patch::Set(source) if *source != Source::User) {
            meta.source = Patch::Set(Source::Agent);
        }
        let client = origin.and_then(|origin| origin.client.clone());
        if let (Patch::Keep, Some(client)) = (&meta.added_by, client) {
            meta.added_by = Patch::Set(client);
        }
    }

    /// Whether a slot holds a hint, wherever that applies.
    fn holds(&self, component: &Name, key: &Name) -> bool {
        let slot = self.store.slot(component, key);
        slot.is_some_and(|slot| slot.live(self.now).next().is_some())
    }

    fn pick(&self, names: (&Name, &Name), which: Which) -> Result<Vec<Arc<Hint>>, Error> {
        let context = match &which {
            Which::Context(context) => context.clone(),
            _ => Context::new(),
        };
        let at = QueryContext {
            facts: context.facts(),
            weights: &self.config.weights,
            now: self.now,
        };
        pick(self.store, names, which, at, self.interner)
    }
}

/// Checks that one more hint fits; where it does not, lets what is dead expire first.
fn make_room(component: &Name, on: WriteContext<'_>) -> Result<Vec<ChangeKind>, Error> {
    let size = |dead: &Dead| {
        let there =
            on.store.component(component).map_or(0, |owner| owner.hints) - dead.of(component);
        let size = dead.size(on.store);
        Size {
            components: size.components + usize::from(there == 0),
            hints_in_component: there + 1,
            hints: size.hints + 1,
        }
    };
    if on.config.limits.check(&size(&Dead::new(&[]))).is_ok() {
        return Ok(Vec::new());
    }
    let expired: Vec<ChangeKind> = on.store.expire(on.now).collect();
    on.config.limits.check(&size(&Dead::new(&expired)))?;
    Ok(expired)
}

/// Checks what the writer believes the version to be.
fn check_version(expected: Option<u64>, before: Option<&Arc<Hint>>) -> Result<(), Error> {
    let current = before.map_or(0, |hint| hint.version);
    let Some(expected) = expected.filter(|expected| *expected != current) else {
        return Ok(());
    };
    let words = match (expected, current) {
        (0, _) => format!(
            "the variant exists already, at version {current}; get it, then set with that version"
        ),
        (_, 0) => format!(
            "the variant does not exist, so it has no version {expected}; set it with version 0"
        ),
        _ => format!(
            "the variant is at version {current}, not {expected}; get it again, then set with that version"
        ),
    };
    let data = ErrorData {
        detail: Some("version"),
        field: Some("if_match_version".into()),
        current_version: Some(current),
        ..ErrorData::default()
    };
    Err(Error::with(ErrorKind::Conflict, words, data))
}
