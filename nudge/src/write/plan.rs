//! What a delete or a bump changes, worked out before anything is done.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{Bumped, Deleted, DeletedHints};
use crate::api::caller::{Actor, Caller};
use crate::api::place::Place;
use crate::api::reach::Reach;
use crate::api::selector::{Bump, DeleteHint, Outcome, Which};
use crate::config::Config;
use crate::hint::Hint;
use crate::hint::origin::Origin;
use crate::model::error::{Error, ErrorKind};
use crate::model::fix::Fix;
use crate::model::name::Name;
use crate::model::number::in_range;
use crate::model::scope::Scope;
use crate::rank::query::QueryContext;
use crate::rank::select::{missing, out_of_scope, pick};
use crate::scope::context::Context;
use crate::scope::glob::escape;
use crate::store::Store;
use crate::store::change::{ChangeKind, Used};
use crate::store::interner::Interner;
use crate::store::slot::Slot;

/// What a plan is made with.
#[derive(Clone, Copy)]
pub(crate) struct WriteContext<'a> {
    pub(crate) store: &'a Store,
    pub(crate) interner: &'a Interner,
    pub(crate) config: &'a Config,
    pub(crate) now: DateTime<Utc>,
    /// Who asks.
    pub(crate) by: &'a Caller<'a>,
    /// Whether the root of a context is known.
    pub(crate) knows: &'a dyn Fn(&Context) -> bool,
}

impl DeleteHint {
    /// The changes that take the hints away, or the one that proposes to.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Deleted), Error> {
        let (slot, all) = ((&self.component, &self.key), self.all);
        let names = || (slot.0.clone(), slot.1.clone());
        let here = self.context.clone().unwrap_or_default();
        let place = on.place(self.context.as_ref().filter(|_| !self.everywhere));
        let which = Which::new(self.scope, self.context, all)?;
        let is_chosen = matches!(which, Which::Context(_));
        let mut previous = on.pick(slot, which)?;
        let reaches_further = |hint: &&Arc<Hint>| {
            let names_place = hint.scope().is_some_and(Scope::names_place);
            is_chosen && place != Place::Everywhere && !names_place
        };
        if let Some(hint) = previous.iter().find(reaches_further) {
            return Err(on.not_here(slot, &[hint], &here, all));
        }
        if all {
            let is_meant = |hint: &Arc<Hint>| place.meets(hint, here.facts());
            let (meant, others): (Vec<_>, Vec<_>) = previous.into_iter().partition(is_meant);
            if meant.is_empty() {
                let others: Vec<_> = others.iter().collect();
                return Err(on.not_here(slot, &others, &here, true));
            }
            previous = meant;
        }
        let live = on.store.live(slot, on.now).count();
        let (component, key) = names();
        let mut answer = Deleted {
            component,
            key,
            deleted: true,
            remaining: live.saturating_sub(previous.len()),
            previous,
            proposal: None,
        };
        if let Some(users) = on.spared_by_delete(&answer, &place, all)? {
            let why = format!("{} would delete what the user has set", on.who());
            let (changes, proposal) = on.offer(names(), users, why.into(), true)?;
            answer.deleted = false;
            answer.remaining = live;
            answer.proposal = Some(proposal);
            return Ok((changes, answer));
        }
        let mut changes = Vec::with_capacity(answer.previous.len());
        for hint in &answer.previous {
            changes.push(ChangeKind::delete(names(), hint));
            changes.extend(on.answered_proposals(slot, hint));
            changes.extend(on.unwanted(slot, hint));
        }
        Ok((changes, answer))
    }

    /// The changes that take away what it means in every slot whose names it gives or, as
    /// patterns, stands for; a slot in which it means nothing is left as it is.
    pub(crate) fn plan_all(
        &self,
        on: WriteContext<'_>,
        is_dry: bool,
    ) -> Result<(Vec<ChangeKind>, DeletedHints), Error> {
        let names = (&self.component, &self.key);
        let (mut changes, mut refusal) = (Vec::new(), None);
        let mut answer = DeletedHints::default();
        let is_pattern = self.component.is_pattern() || self.key.is_pattern();
        let all = self.all || is_pattern && self.context.is_some() && self.scope.is_none();
        let reach = &Reach::of(on.by, None, on.knows);
        // Others than the user are not told of other places, by no count and by no name.
        let is_known = |slot: &&Slot| {
            let mut live = slot.live(on.now);
            on.by.is_user() || live.any(|hint| reach.has(hint))
        };
        for slot in on.store.slots_like(names).into_iter().filter(is_known) {
            let (component, key) = slot.names();
            let one = DeleteHint {
                component,
                key,
                all,
                ..self.clone()
            };
            match one.plan(on) {
                Ok((_, deleted)) if deleted.proposal.is_some() => {
                    let words = format!(
                        "`{}/{}` is the user's; delete your own by name, or ask the user",
                        deleted.component, deleted.key
                    );
                    return Err(Error::forbidden("users", words));
                }
                Ok((more, mut deleted)) => {
                    changes.extend(more);
                    deleted.deleted = !is_dry;
                    answer.elsewhere += deleted.remaining;
                    answer.deleted.push(deleted);
                }
                Err(error) if error.kind() == ErrorKind::Forbidden => return Err(error),
                Err(error) => {
                    answer.left += 1;
                    answer.elsewhere += slot.live(on.now).count();
                    refusal.get_or_insert(error);
                }
            }
        }
        if answer.deleted.is_empty() {
            let at = on.query_context(Context::nowhere());
            let at = QueryContext { reach, ..at };
            return Err(refusal.unwrap_or_else(|| missing(on.store, names, at, &[])));
        }
        changes.retain(|_| !is_dry);
        answer.elsewhere *= usize::from(all && on.by.is_user());
        Ok((changes, answer))
    }
}

impl Bump {
    /// The change that counts the use, or the failure, if it may count for that variant.
    pub(crate) fn plan(
        self,
        on: WriteContext<'_>,
        may_count: impl FnOnce((&str, &str, Option<&Scope>)) -> bool,
    ) -> Result<(Vec<ChangeKind>, Bumped), Error> {
        let (component, key) = (self.component, self.key);
        let delta = in_range("delta", self.delta.unwrap_or(1), 1, 1000)?;
        let which = Which::new(self.scope, self.context, false)?;
        let before = &on.pick_one((&component, &key), which)?;
        let variant = (&*component, &*key, before.scope());
        // What others than the user say counts once, however often they say it was.
        let delta = match may_count(variant) {
            true if on.by.is_user() => delta as u64,
            true => 1,
            false => 0,
        };
        let bumped = |hint: Arc<Hint>| Bumped {
            component: component.clone(),
            key: key.clone(),
            counted: delta,
            use_count: hint.use_count,
            hint,
        };
        // What a hook saw last is known, also where it does not count.
        if delta == 0 && on.by.actor != Actor::Hook {
            return Ok((Vec::new(), bumped(Arc::clone(before))));
        }
        let is_claim = matches!(on.by.actor, Actor::Agent | Actor::Program);
        let claimed = if is_claim { delta } else { 0 };
        let mut hint = Hint::clone(before);
        let kind = match self.outcome.unwrap_or_default() {
            Outcome::Ok => {
                hint.use_count = hint.use_count.saturating_add(delta);
                hint.claimed_uses = hint.claimed_uses.saturating_add(claimed);
                hint.last_used_at = Some(on.now);
                if !is_claim && !before.is_users() && on.is_another_than_author_of(before) {
                    hint.prove(on.config);
                }
                ChangeKind::Bump
            }
            Outcome::Fail => {
                hint.fail_count = hint.fail_count.saturating_add(delta);
                hint.claimed_failures = hint.claimed_failures.saturating_add(claimed);
                hint.first_failed_at = hint.first_failed_at.or(Some(on.now));
                hint.last_failed_at = Some(on.now);
                ChangeKind::Fail
            }
        };
        let hint = Arc::new(hint);
        let bumped = bumped(Arc::clone(&hint));
        let used = Used {
            component,
            key,
            hint,
        };
        Ok((vec![kind(used)], bumped))
    }
}

impl<'a> WriteContext<'a> {
    /// Where what the caller sets comes from, as far as it can be stored.
    pub(crate) fn origin(&self) -> Option<Origin> {
        self.by
            .origin()
            .and_then(|origin| origin.fitting(self.config))
    }

    /// Where the caller's writes land; from a root that nobody knows, no further than there.
    pub(crate) fn place(&self, context: Option<&Context>) -> Place {
        let stranger = context.filter(|at| !(self.knows)(at)).map(Context::facts);
        match (
            Place::of(context, self.by),
            stranger.and_then(|at| at.root.as_deref()),
        ) {
            (Place::Repo(_), Some(root)) => Place::Folder(escape(root)),
            (place, _) => place,
        }
    }

    /// What a get is asked with that would come from a context.
    pub(crate) fn query_context<'q>(&self, context: &'q Context) -> QueryContext<'q>
    where
        'a: 'q,
    {
        QueryContext {
            facts: context.facts(),
            weights: &self.config.weights,
            reach: &Reach::ALL,
            now: self.now,
        }
    }

    /// The variant that is meant, where one is.
    pub(crate) fn pick_one(&self, names: (&Name, &Name), which: Which) -> Result<Arc<Hint>, Error> {
        let none = || Error::new(ErrorKind::Internal, "a slot without variants");
        self.pick(names, which)?.into_iter().next().ok_or_else(none)
    }

    fn pick(&self, names: (&Name, &Name), which: Which) -> Result<Vec<Arc<Hint>>, Error> {
        let context = match &which {
            Which::Context(context) => context.clone(),
            _ => Context::new(),
        };
        let reach = match which {
            Which::Scope(_) if self.by.states_place() => Reach::ALL,
            _ => Reach::of(self.by, Some(&context), self.knows),
        };
        let at = QueryContext {
            reach: &reach,
            ..self.query_context(&context)
        };
        let in_place = self.in_place(&which);
        let is_own = |hint: &Hint| self.by.has_set(hint);
        let pick = |which| pick(self.store, names, which, at, self.interner, is_own);
        let picked = pick(which);
        match in_place.filter(|_| picked.is_err()) {
            Some(scope) => pick(Which::Scope(scope)),
            None => picked,
        }
    }

    /// A scope that names no place with the caller's repository, as a set from there has it.
    fn in_place(&self, which: &Which) -> Option<Scope> {
        let Which::Scope(scope) = which else {
            return None;
        };
        let repo = self.by.repo.filter(|_| self.by.scopes_writes)?;
        let is_placed = scope.is_everywhere() || scope.names_place();
        (!is_placed).then(|| scope.clone().repo(repo))
    }

    /// The refusal of a write that means nothing in the caller's place alone.
    pub(crate) fn not_here(
        &self,
        names: (&Name, &Name),
        others: &[&Arc<Hint>],
        here: &Context,
        is_all: bool,
    ) -> Error {
        let others = others.iter().copied();
        let others = others.filter(|hint| self.by.may_read(hint, Some(here)));
        let others: Vec<&Arc<Hint>> = others.collect();
        let is_everywhere = |hint: &&&Arc<Hint>| !hint.scope().is_some_and(Scope::names_place);
        let Some(hint) = others.iter().find(is_everywhere) else {
            return match &others[..] {
                [] => missing(self.store, names, self.query_context(here), &[]),
                others => out_of_scope(names, others, here.facts(), None),
            };
        };
        let scopes = vec![hint.scope().cloned().unwrap_or_default()];
        let words = format!(
            "`{}/{}` is the same in every project, and would be gone from all of them",
            names.0, names.1
        );
        let fix = if is_all {
            Fix::SayEverywhere
        } else {
            Fix::NameScope
        };
        let error = Error::invalid("scope", "everywhere", words).fix(fix);
        error.and(|data| data.scopes = scopes)
    }
}
