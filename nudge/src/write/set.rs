//! What a set changes, worked out before anything is done.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::HintSet;
use crate::api::place::Place;
use crate::api::reach::Reach;
use crate::api::set_hint::{MetaPatch, Patch, SetHint};
use crate::hint::lifetime::Lifetime;
use crate::hint::origin::{Origin, origin_of};
use crate::hint::{Hint, HintMeta, HintValue, Sensitivity, Source};
use crate::model::error::Error;
use crate::model::name::{Name, check_names};
use crate::model::scope::Scope;
use crate::model::ttl::Ttl;
use crate::rank::select::chosen_of;
use crate::scope::context::Context;
use crate::scope::matcher::ScopeMatcher;
use crate::store::change::{ChangeKind, Removed};
use crate::store::counts::{Counts, MOST_LEARNED};
use crate::store::interner::Interner;
use crate::write::plan::WriteContext;
use crate::write::validate::{check_hint, check_version};

/// Which variant a set writes, and what to say of it.
#[derive(Default)]
struct Target<'s> {
    /// Its scope.
    scope: Scope,
    /// The variant that it takes the place of, if it is not simply the one of that scope.
    before: Option<&'s Arc<Hint>>,
    /// What a get from there returns, for `if_match_version` of a set that states no scope.
    seen: Option<&'s Arc<Hint>>,
    /// Whether the set states no scope.
    is_here: bool,
    /// Whether what a get from there returned stays as it is elsewhere.
    stays: bool,
    /// Whether a new one applies everywhere because the writer is nowhere in particular.
    is_nowhere: bool,
    /// What the writer may read, of others than the user.
    reach: Option<Reach<'s>>,
}

impl SetHint {
    /// The change that sets the hint, or that proposes it.
    pub(crate) fn plan(
        mut self,
        on: WriteContext<'_>,
    ) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let context = self.context.take();
        let is_bound = !on.by.is_user() && !on.by.states_place();
        let reach = is_bound.then(|| Reach::of(on.by, context.as_ref(), on.knows));
        let mut by = *on.by;
        by.here = context.as_ref().or(by.here);
        let on = WriteContext { by: &by, ..on };
        let origin = on.origin();
        on.stamp(&mut self.meta, origin.as_ref())?;
        let stated = std::mem::take(&mut self.meta.scope);
        let (moved, names) = (self.from_scope.take(), (&self.component, &self.key));
        let moved = moved.map(|from| on.moved(names, from, &stated));
        let moved = moved.transpose()?;
        let place = on.place(context.as_ref());
        let here = context.clone().unwrap_or_default();
        let slot = on.store.slot(&self.component, &self.key);
        let slot = slot.filter(|_| stated == Patch::Keep);
        let best = slot.and_then(|slot| Some(slot.best(on.query_context(&here))?.hint));
        let is_users = WriteContext::is_users_write(&self.meta);
        let target = match (stated, best) {
            (Patch::Clear, _) => Target {
                before: moved.as_ref(),
                ..Target::default()
            },
            (Patch::Set(scope), _) => Target {
                scope: place.beside(scope),
                before: moved.as_ref(),
                ..Target::default()
            },
            (Patch::Keep, Some(best)) if best.is_users() && !best.is_projects() || !is_users => {
                let scope = best.scope().cloned().unwrap_or_default();
                let is_inside = place.holds(best.scope());
                Target {
                    scope: if is_inside { scope } else { place.onto(scope) },
                    before: Some(best).filter(|_| is_inside),
                    seen: Some(best),
                    is_here: true,
                    stays: !is_inside,
                    ..Target::default()
                }
            }
            (Patch::Keep, best) => Target {
                scope: place.onto(Scope::new()),
                seen: best,
                is_here: true,
                is_nowhere: place == Place::Everywhere && on.by.scopes_writes,
                ..Target::default()
            },
        };
        if let Some(moved) = &moved {
            on.check_free(names, &target.scope, (&self.value, moved))?;
        }
        let target = Target { reach, ..target };
        let (stays, is_nowhere) = (target.stays, target.is_nowhere);
        let (changes, mut answer) = self.plan_at(on, target, origin, None)?;
        if let Some(context) = context.as_ref().filter(|_| answer.note.is_none()) {
            answer.note = on.note(&answer, context, stays, is_nowhere);
        }
        Ok((changes, answer))
    }

    /// The change that sets the hint of the scope that it states; or the one that
    /// proposes it, where `why` says so.
    pub(crate) fn plan_as(
        mut self,
        on: WriteContext<'_>,
        origin: Option<Origin>,
        why: Option<Box<str>>,
    ) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let scope = match std::mem::take(&mut self.meta.scope) {
            Patch::Keep | Patch::Clear => Scope::new(),
            Patch::Set(scope) => scope,
        };
        let target = Target {
            scope,
            ..Target::default()
        };
        self.plan_at(on, target, origin, why)
    }

    /// The change that sets the hint, after those that make room for it; or the
    /// one that proposes it, where `why` says so or the user's word stands against it.
    fn plan_at(
        self,
        on: WriteContext<'_>,
        target: Target<'_>,
        origin: Option<Origin>,
        why: Option<Box<str>>,
    ) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let (component, key, value) = (self.component, self.key, self.value);
        let mut meta = self.meta;
        let matcher = on.interner.matcher_for(target.scope, &value)?;
        let slot = on.store.slot(&component, &key);
        let live = slot.into_iter().flat_map(|slot| slot.live(on.now));
        let live: Vec<&Arc<Hint>> = live.collect();
        let of_scope = live.iter().find(|hint| hint.meta.scope == matcher).copied();
        let before = target.before.or(of_scope);
        let seen = if target.is_here { target.seen } else { before };
        let reach = target.reach.as_ref();
        let may_read = |hint: &&Arc<Hint>| reach.is_none_or(|reach| reach.has(hint));
        check_version(self.if_match_version, seen.filter(may_read))?;
        let in_the_way = on.in_the_way(&live, matcher.as_ref(), (&value, &meta));
        let why = why.or_else(|| {
            let what = if in_the_way?.is_users() {
                "the user has set"
            } else {
                "is known to work"
            };
            Some(format!("{} would overwrite what {what}", on.who()).into())
        });
        let stands = why.as_ref().and(in_the_way.or(before));
        let says_more = stands.is_none_or(|stands| !on.is_said(&value, &meta, stands));
        if let Some(before) = before {
            on.leave_behind(&mut meta, &value, before);
        }
        let mut meta = meta.onto(before.map(|hint| &hint.meta), matcher, on.interner);
        let origin = origin.map(|origin| Box::new(origin.stamped(on.now)));
        meta.origin = match why {
            Some(_) => origin,
            None => origin_of(&value, origin, before.map(|hint| &**hint)),
        };
        let mut hint = after(before, value, meta, on.now);
        hint.settle_lifetime(on.config);
        check_names(&component, &key)?;
        check_hint(&component, &key, &hint, on.config, on.by)?;

        let names = || (component.clone(), key.clone());
        let mut answer = HintSet {
            component: component.clone(),
            key: key.clone(),
            hint: Arc::new(hint),
            created: false,
            variants: live.iter().copied().filter(may_read).count(),
            replaced: None,
            proposal: None,
            note: None,
        };
        if let Some(why) = why {
            let proposed = Arc::clone(&answer.hint);
            let shown = stands.filter(may_read);
            answer.hint = shown.map_or(answer.hint, Arc::clone);
            if !says_more {
                return Ok((Vec::new(), answer));
            }
            let (changes, proposal) = on.offer(names(), proposed, why, false)?;
            answer.note = Some(waits(proposal.id, stands.is_some_and(|it| it.is_users())));
            answer.proposal = Some(proposal);
            return Ok((changes, answer));
        }
        let mut changes = make_room(&component, of_scope.or(before), &answer.hint, on)?;
        match before {
            // A path that is meant on fewer systems takes its variant along.
            Some(before) if before.meta.scope != answer.hint.meta.scope => {
                changes.push(ChangeKind::delete(names(), before));
            }
            _ => {}
        }
        if changes.is_empty() && slot.is_some_and(|slot| slot.variants.len() > live.len()) {
            changes.extend(on.store.expire(on.now));
        }
        let before = of_scope.or(before);
        let is_more = answer.hint.is_learned() && before.is_none_or(|before| !before.is_learned());
        if is_more && on.store.counts().learned >= MOST_LEARNED {
            let unused = on.store.learned_by_use(on.now).next();
            let unused = unused.map(|(names, hint)| Removed::new(names, hint));
            changes.extend(unused.map(ChangeKind::Delete));
        }
        if answer.hint.is_users() {
            changes.extend(on.answered_proposals((&component, &key), &answer.hint));
            changes.extend(on.wanted((&component, &key), &answer.hint));
        }
        let set = ChangeKind::set(names(), before, Arc::clone(&answer.hint));
        changes.push(set);
        answer.created = before.is_none();
        // Others than the user may not read everywhere.
        let known = before.filter(|_| on.by.is_user() || target.is_here);
        let is_another = |before: &&Arc<Hint>| before.value != answer.hint.value;
        let is_shown = |before: &&Arc<Hint>| !before.is_secret() && !answer.hint.is_secret();
        let known = known.filter(is_another).filter(is_shown);
        answer.replaced = known.map(|before| before.value.clone());
        answer.variants += usize::from(answer.created);
        let was_kept = before.is_some_and(|before| before.lifetime != Lifetime::Session);
        if was_kept && answer.hint.is_secret() {
            let words = "it was kept, and is not any more: a secret ends with the server's process";
            answer.note = Some(words.into());
        }
        Ok((changes, answer))
    }
}

/// What a writer is told whose hint is only proposed.
fn waits(id: u64, is_users: bool) -> Box<str> {
    let stands = if is_users {
        "the user has set this hint"
    } else {
        "this hint is known to work"
    };
    let words = format!(
        "nothing was overwritten: {stands}, and yours waits until the user runs `nudge accept {id}`"
    );
    words.into()
}

/// The hint that stands where `before` stood.
fn after(before: Option<&Arc<Hint>>, value: HintValue, meta: HintMeta, now: DateTime<Utc>) -> Hint {
    let new = Hint::new(value, meta, now);
    let Some(before) = before else {
        return new;
    };
    let (version, created_at) = (before.version.saturating_add(1), before.created_at);
    // What became of an old value says nothing of a new one.
    if before.value != new.value {
        return Hint {
            version,
            created_at,
            ..new
        };
    }
    Hint {
        meta: new.meta,
        version,
        updated_at: now,
        ..Hint::clone(before)
    }
}

impl WriteContext<'_> {
    /// Clears what is not taken over from the hint that stood there.
    fn leave_behind(&self, meta: &mut MetaPatch, value: &HintValue, before: &Hint) {
        // What a value rests on says nothing of another one.
        if meta.anchors.is_keep() && before.value != *value {
            meta.anchors = Patch::Clear;
        }
        // Nor does how long another author's was to live; and no secret is kept.
        let becomes_secret = meta.sensitivity == Patch::Set(Sensitivity::Secret);
        let was_kept = before.meta.ttl == Some(Ttl::KEPT);
        if meta.ttl.is_keep() && (!self.is_author_of(before, meta) || becomes_secret && was_kept) {
            meta.ttl = Patch::Clear;
        }
    }

    /// What a writer may not expect of what was set: that another one stays elsewhere, that
    /// it applies everywhere, or that a get from there does not return it.
    fn note(
        &self,
        set: &HintSet,
        here: &Context,
        stays: bool,
        is_nowhere: bool,
    ) -> Option<Box<str>> {
        let slot = format!("`{}/{}`", set.component, set.key);
        let at = self.query_context(here);
        let misses = set.hint.failed_conditions(at.facts);
        if let Some(miss) = misses.first() {
            let words = miss.describe();
            return Some(format!("it does not apply here: {words}").into());
        }
        let others = self.store.live((&set.component, &set.key), self.now);
        let others = others.filter(|other| other.meta.scope != set.hint.meta.scope);
        let all: Vec<&Arc<Hint>> = others.chain([&set.hint]).collect();
        let best = chosen_of((&set.component, &set.key), &all, at);
        if let Some(best) = best.filter(|best| !Arc::ptr_eq(best, &set.hint)) {
            let (whose, other) = match (best.is_users(), best.scope()) {
                (true, _) => ("the user's", "hint"),
                (false, None) => ("the", "hint for everywhere"),
                (false, Some(_)) => ("a", "more exact hint"),
            };
            return Some(format!("a get from here still returns {whose} {other} of {slot}").into());
        }
        if stays {
            let words = "stays as it was elsewhere; set it everywhere to change that";
            return Some(format!("{slot} {words}").into());
        }
        let words = "it applies everywhere, because it was set outside of any project";
        (is_nowhere && set.created && set.hint.scope().is_none()).then(|| words.into())
    }
}

/// Checks that a hint fits; where it does not, lets what is dead expire first.
fn make_room(
    component: &Name,
    before: Option<&Arc<Hint>>,
    hint: &Hint,
    on: WriteContext<'_>,
) -> Result<Vec<ChangeKind>, Error> {
    let (limits, is_user) = (&on.config.limits, on.by.is_user());
    let before = before.map(|before| &**before);
    let check = |counts: &Counts| counts.check((component, hint), before, limits, is_user);
    if check(on.store.counts()).is_ok() {
        return Ok(Vec::new());
    }
    let expired: Vec<ChangeKind> = on.store.expire(on.now).collect();
    check(&on.store.counts().without(&expired, on.store))?;
    Ok(expired)
}

impl MetaPatch {
    /// The meta after the write, given what it was before; the scope is the
    /// variant's and is not merged, and who set the value is not said here.
    pub(crate) fn onto(
        self,
        before: Option<&HintMeta>,
        scope: Option<Arc<ScopeMatcher>>,
        interner: &Interner,
    ) -> HintMeta {
        let none = HintMeta::default();
        let before = before.unwrap_or(&none);
        HintMeta {
            reason: self
                .reason
                .map(|reason| reason.as_ref().into())
                .onto(|| before.reason.clone()),
            tags: self
                .tags
                .map(|tags| interner.tags(tags))
                .onto(|| Some(Arc::clone(&before.tags)))
                .unwrap_or_default(),
            priority: self.priority.onto(|| before.priority),
            confidence: self.confidence.onto(|| before.confidence),
            pin: self.pin.onto(|| Some(before.pin)).unwrap_or_default(),
            ttl: self.ttl.onto(|| before.ttl.clone()),
            sensitivity: self.sensitivity.onto(|| before.sensitivity),
            scope,
            source: self.source.onto(|| before.source).or(Some(Source::User)),
            added_by: self
                .added_by
                .map(|who| Name::from(&*who))
                .onto(|| before.added_by.clone()),
            anchors: self
                .anchors
                .map(|anchors| Box::from(&*anchors))
                .onto(|| Some(before.anchors.clone()))
                .unwrap_or_default(),
            origin: None,
        }
    }
}
