//! What the operations that change nothing do.

use std::sync::Arc;

use crate::api::answer::{Components, Exported, Found, HintMatch, Ineligible, Ranked};
use crate::api::caller::Caller;
use crate::api::context_sets::{ContextSets, GetContext};
use crate::api::import_export::{Export, ListComponents};
use crate::api::prompt_block::{Block, PromptBlock};
use crate::api::proposals::Proposals;
use crate::api::reach::Reach;
use crate::api::request::{GetHint, Query};
use crate::hint::Hint;
use crate::hint::proposal::Proposal;
use crate::model::error::{Error, ErrorKind};
use crate::model::fix::Fix;
use crate::model::name::Name;
use crate::model::number::in_range;
use crate::nudge::Nudge;
use crate::rank::answer::{explain, leave_out};
use crate::rank::prompt_block::Declared;
use crate::rank::query::{Filters, QueryContext};
use crate::rank::score::Candidate;
use crate::rank::select::{self, Shown};
use crate::scope::context::Context;
use crate::scope::glob::Allowance;
use crate::store::Store;
use crate::store::slot::Slot;

/// How many commands of folders below are told at a start.
const MOST_BELOW: usize = 3;

/// Where a caller asks from.
type Asked<'a> = (&'a Context, QueryContext<'a>);

/// Reading.
impl Nudge {
    /// Finds the hint of a slot that fits best.
    pub(crate) fn find(&self, by: &Caller<'_>, request: GetHint) -> Result<HintMatch, Error> {
        let (component, key, context) = (request.component, request.key, request.context);
        let more = in_range("alternatives", request.alternatives, 0, 20)?;
        let now = self.clock.now();
        let reach = self.reach(by, Some(&context));
        let at = self.query_context(&reach, &context, now);
        let store = self.read();
        let slot = store.slot(&component, &key);
        let _allowance = Allowance::for_hints(slot.map_or(0, |slot| slot.variants.len()));
        let best = slot.and_then(|slot| slot.best(at));
        let Some((slot, best)) = slot.zip(best) else {
            let live = slot.into_iter().flat_map(|slot| slot.readable(now, &reach));
            let live: Vec<Arc<Hint>> = live.cloned().collect();
            drop(store);
            let declared = self.found_at(&reach, &context);
            let found = one_declared(&declared, (&component, &key), (&context, at));
            let found = found.map(|found| found.into_match(Vec::new()));
            return found.ok_or_else(|| {
                if live.is_empty() {
                    return select::missing(&self.read(), (&component, &key), at, &declared);
                }
                let old = self.named_before(by, &context);
                select::out_of_scope((&component, &key), &live, context.facts(), old)
            });
        };
        let rests = self.projects.is_some() && best.hint.may_rest();
        if more == 0 && !rests {
            return Ok(HintMatch {
                proposal: store.proposal_of(by, (&component, &key), now),
                component,
                key,
                hint: Arc::clone(best.hint),
                match_explain: explain(&best, context, now),
                alternatives: Vec::new(),
            });
        }
        let most = if rests { usize::MAX } else { more + 1 };
        let ranked = slot.ranked(at, most);
        let ranked = ranked.iter().map(|one| Ranked::new(one, &context, now));
        let ranked = ranked.collect();
        let proposal = store.proposal_of(by, (&component, &key), now);
        drop(store);
        let mut ranked = self.checked(ranked, (&context, at)).into_iter();
        let Some(best) = ranked.next() else {
            return Err(Error::new(ErrorKind::Internal, "a slot without variants"));
        };
        let mut found = best.into_match(ranked.take(more).collect());
        found.proposal = proposal;
        Ok(found)
    }

    /// The hints of a slot, the best first, after a look at what the best one rests on. What is
    /// gone gives way to the next one, unless the user said it.
    fn checked(&self, mut ranked: Vec<Ranked>, asked: Asked<'_>) -> Vec<Ranked> {
        let mut at = 0;
        while let Some(one) = ranked.get_mut(at) {
            let Some(checked) = self.check_anchors(&one.hint, asked.1.facts) else {
                break;
            };
            one.check(&checked);
            if !checked.is_gone() || one.hint.is_users() {
                break;
            }
            at += 1;
        }
        if let Some(gone) = ranked.first().filter(|_| at == ranked.len()) {
            let declared = self.found_at(asked.1.reach, asked.0);
            let declared = one_declared(&declared, (&gone.component, &gone.key), asked);
            ranked.splice(0..0, declared);
            at = 0;
        }
        if let Some(first) = ranked.get_mut(..=at) {
            first.rotate_right(1);
        }
        ranked
    }

    /// Finds all hints that fit some filters, the best first.
    pub(crate) fn search(&self, by: &Caller<'_>, request: &Query) -> Result<Found, Error> {
        if request.anywhere && !by.is_user() {
            let words = "only the user may search what does not apply here";
            return Err(Error::forbidden("anywhere", words));
        }
        let most = in_range("limit", request.limit.unwrap_or(10), 1, 100)?;
        let in_tokens = |most| in_range("max_tokens", most, 1, 100_000);
        let room = request.max_tokens.map(in_tokens).transpose()?;
        let filters = Filters::new(request, &self.patterns)?;
        let now = self.clock.now();
        let reach = self.reach(by, Some(&request.context));
        let at = self.query_context(&reach, &request.context, now);
        let listed = if request.include_ineligible { most } else { 0 };
        let store = self.read();
        let _allowance = Allowance::for_hints(store.counts().hints);
        let passed = filters.run(&store, at, most, listed)?;
        let best = passed.best.iter();
        let ranked = best.map(|best| Ranked::new(best, &request.context, now));
        let ineligible = passed.ineligible.iter();
        let ineligible = ineligible.map(|(slot, hint)| slot.with_names(hint));
        let ineligible: Vec<_> = ineligible.collect();
        let mut hints: Vec<Ranked> = ranked.collect();
        let (total, scoped_out) = (passed.total, passed.scoped_out);
        let nearest = (total + scoped_out == 0).then(|| select::nearest(&store, request, at));
        drop(store);
        let left_out = room.map_or(0, |tokens| leave_out(&mut hints, tokens));
        let ineligible = request.include_ineligible.then(|| {
            let ineligible = ineligible.into_iter();
            ineligible
                .map(|one| Ineligible::of(one, at.facts))
                .collect()
        });
        Ok(Found {
            hints,
            total,
            scoped_out,
            ineligible,
            left_out,
            nearest: nearest.unwrap_or_default(),
        })
    }

    /// Lists the components.
    pub(crate) fn list(&self, by: &Caller<'_>, request: &ListComponents) -> Components {
        let (now, store) = (self.clock.now(), self.read());
        let _allowance = Allowance::for_hints(store.counts().hints);
        let reach = self.reach(by, request.context.as_ref());
        request.list(&store, &reach, now)
    }

    /// Gives the store, or a part of it, as a payload.
    pub(crate) fn snapshot(&self, by: &Caller<'_>, request: &Export) -> Result<Exported, Error> {
        if request.include_secrets && !by.is_user() {
            let words = "only the user may export secrets";
            return Err(Error::forbidden("secret", words).fix(Fix::LeaveOutSecrets));
        }
        let now = self.clock.now();
        let session = (self.created_at(), Arc::clone(&self.session_id));
        let reach = match &request.context {
            Some(context) if by.is_user() => Reach::around(context, true),
            context => self.reach(by, context.as_ref()),
        };
        Ok(request.collect(&self.read(), (by, &reach), session, now))
    }

    /// Tells what is being worked on.
    pub(crate) fn working_on(
        &self,
        by: &Caller<'_>,
        request: &GetContext,
    ) -> Result<ContextSets, Error> {
        let is_there = by.may_ask_from(request.context.as_ref());
        let mut request = request.clone();
        let known = |context: Context| context.known_or_apart(|at| self.knows_root(at));
        request.context = request.context.map(known);
        let store = self.read();
        let newest = store.working_sets().rev().filter(|_| is_there);
        let newest: Vec<_> = newest.cloned().collect();
        drop(store);
        request.answer(by, &newest, self.clock.now())
    }

    /// The hints that apply in a place and are wanted, the best first; no secret is.
    pub(crate) fn applying(
        &self,
        context: &Context,
        is_wanted: impl Fn((&Name, &Name), &Hint) -> bool,
    ) -> Vec<Ranked> {
        let (by, now) = (Caller::user(), self.clock.now());
        let reach = self.reach(&by, Some(context));
        let at = self.query_context(&reach, context, now);
        let store = self.read();
        let is_it =
            |names: (&Name, &Name), hint: &Hint| !hint.is_secret() && is_wanted(names, hint);
        let all = eligible(&store, at, is_it).into_iter();
        let mut all: Vec<Candidate<'_>> = all
            .map(|(slot, hint)| Candidate::new((&slot.component, &slot.key), hint, at))
            .collect();
        all.sort_by(Candidate::order);
        let ranked = all.iter().map(|one| Ranked::new(one, context, now));
        ranked.collect()
    }

    /// All that a query from a place would find, in no order.
    pub fn found_here(
        &self,
        by: &Caller<'_>,
        context: &Context,
    ) -> Result<Vec<(Name, Name, Arc<Hint>)>, Error> {
        context.check()?;
        let reach = self.reach(by, Some(context));
        let at = self.query_context(&reach, context, self.clock.now());
        let store = self.read();
        let all = eligible(&store, at, |_, _| true).into_iter();
        Ok(all.map(|(slot, hint)| slot.with_names(hint)).collect())
    }

    /// How many hints apply in a place, as far as a caller may read them: one a slot, and what
    /// the project declares.
    #[must_use]
    pub fn count_here(&self, by: &Caller<'_>, context: &Context) -> usize {
        let reach = self.reach(by, Some(context));
        let declared = self.found_at(&reach, context);
        let at = self.query_context(&reach, context, self.clock.now());
        let store = self.read();
        let _allowance = Allowance::for_hints(store.counts().hints);
        let best = store.slots().filter_map(|slot| slot.best(at));
        let best: Vec<Candidate<'_>> = best.collect();
        let is_new = |found: &&Declared| {
            let mut best = best.iter();
            !best.any(|one| found.is_told_by((one.component, one.key), one.hint))
        };
        best.len() + declared.iter().filter(is_new).count()
    }

    /// Lists the proposals that wait: all to the user, with what stands instead, to others their
    /// own.
    pub(crate) fn waiting(&self, by: &Caller<'_>) -> Proposals {
        let (store, now) = (self.read(), self.clock.now());
        let shown = store.proposals(now).filter(|one| by.may_see(one)).cloned();
        let with_stands = |mut one: Proposal| {
            let origin = one.hint.meta.origin.as_ref();
            let repo = origin.and_then(|origin| origin.repo.as_deref());
            let there = repo.map_or_else(Context::new, |repo| Context::new().repo(repo));
            let live = store.live((&one.component, &one.key), now);
            let mut live = live.filter(|_| by.is_user());
            let is_it = |hint: &&Arc<Hint>| hint.scope() == one.hint.scope();
            let applies = |hint: &&Arc<Hint>| hint.is_users() && hint.applies(there.facts());
            let stands = live.clone().find(is_it).or_else(|| live.find(applies));
            one.stands = stands.map(|hint| hint.shown().into());
            one
        };
        Proposals {
            proposals: shown.map(with_stands).collect(),
        }
    }

    /// Writes the hints that apply as a block of text for a prompt; at the start of a session
    /// those of the folder first, and of the other components a line each.
    pub(crate) fn block(
        &self,
        reach: &Reach<'_>,
        request: &PromptBlock,
        is_start: bool,
    ) -> Result<(Block, Vec<(Name, String)>), Error> {
        let at = self.query_context(reach, &request.context, self.clock.now());
        let store = self.read();
        let _allowance = Allowance::for_hints(store.counts().hints);
        let mut picked = request.pick(&store, at)?;
        drop(store);
        if self.projects.is_some() {
            picked.check(|hint| self.check_anchors(hint, at.facts));
            let mut found = self.found_at(reach, &request.context);
            found.retain(|found| !is_start || self.is_needed(&request.context, found));
            picked.declare(found);
            if is_start {
                picked.place(|hint, folder| self.run_from(&request.context, hint, folder));
            }
        }
        if is_start {
            let mut below = self.learned_below(reach, &request.context);
            let repo = at.facts.repos.first();
            if let Some(repo) = repo.filter(|_| self.knows_root(&request.context)) {
                let here = request.context.folder_below_root();
                self.with_book(repo.as_str(), |book| {
                    picked.keep(book, here);
                    below.retain(|one| book.is_used_in(&one.folder, &one.key));
                });
            }
            let home = self.home(&request.context);
            let component = home.component(&picked.components()).cloned();
            picked.arrange(component.as_ref(), |hint| home.is_named_by(hint));
            below.truncate(MOST_BELOW);
            picked.add_below(below);
        }
        Ok(picked.write())
    }
}

/// The hints that apply in a place and are wanted, as far as a query shows them.
fn eligible<'s>(
    store: &'s Store,
    at: QueryContext<'_>,
    is_wanted: impl Fn((&Name, &Name), &Hint) -> bool,
) -> Vec<(&'s Slot, &'s Arc<Hint>)> {
    let _allowance = Allowance::for_hints(store.counts().hints);
    let (mut all, mut shown) = (Vec::new(), Shown::default());
    for slot in store.slots() {
        for hint in slot.live(at.now) {
            let is_it = is_wanted((&slot.component, &slot.key), hint) && at.reach.has(hint);
            if is_it && hint.applies(at.facts) && shown.shows(slot, hint, at) {
                all.push((slot, hint));
            }
        }
    }
    all
}

/// What the project itself declares for a slot, where nobody has set it.
fn one_declared(
    declared: &[Declared],
    slot: (&Name, &Name),
    (context, at): Asked<'_>,
) -> Option<Ranked> {
    let mut declared = declared.iter();
    let one = declared.find(|one| (&one.component, &one.key) == slot)?;
    let candidate = Candidate::new(slot, &one.hint, at);
    Some(Ranked::new(&candidate, context, at.now))
}
