//! What the operations that change nothing do.

use std::sync::Arc;

use crate::api::answer::{Components, Exported, Found, HintMatch, Ineligible, Ranked};
use crate::api::caller::Caller;
use crate::api::context_sets::{ContextSets, GetContext};
use crate::api::import_export::{Export, ListComponents};
use crate::api::prompt_block::{Block, PromptBlock};
use crate::api::proposals::Proposals;
use crate::api::request::{GetHint, Query};
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::number::in_range;
use crate::nudge::Nudge;
use crate::rank::answer::explain;
use crate::rank::query::Filters;
use crate::rank::select;

/// Reading.
impl Nudge {
    /// Finds the hint of a slot that fits best.
    pub(crate) fn find(&self, by: &Caller<'_>, request: GetHint) -> Result<HintMatch, Error> {
        let GetHint {
            component,
            key,
            context,
            alternatives,
        } = request;
        let more = in_range("alternatives", alternatives, 0, 20)?;
        let now = self.clock.now();
        let at = self.query_context(&context, now);
        let store = self.read();
        let Some(slot) = store.slot(&component, &key) else {
            return Err(select::missing(&store, (&component, &key), now));
        };
        if more > 0 {
            let ranked = slot.ranked(at, more + 1);
            let mut ranked = ranked.iter().map(|c| Ranked::new(c, &context, now));
            if let Some(best) = ranked.next() {
                let mut found = best.into_match(ranked.collect());
                found.proposal = store.proposal_of(by, (&found.component, &found.key));
                return Ok(found);
            }
        } else if let Some(best) = slot.best(at) {
            return Ok(HintMatch {
                proposal: store.proposal_of(by, (&component, &key)),
                component,
                key,
                hint: Arc::clone(best.hint),
                match_explain: explain(&best, context, now),
                alternatives: Vec::new(),
            });
        }
        let live: Vec<Arc<Hint>> = slot.live(now).cloned().collect();
        if live.is_empty() {
            return Err(select::missing(&store, (&component, &key), now));
        }
        drop(store);
        Err(select::out_of_scope(
            (&component, &key),
            &live,
            context.facts(),
        ))
    }

    /// Finds all hints that fit some filters, the best first.
    pub(crate) fn search(&self, request: &Query) -> Result<Found, Error> {
        let most = in_range("limit", request.limit.unwrap_or(10), 1, 100)?;
        let regex = request
            .regex
            .as_deref()
            .map(|regex| self.patterns.get(regex))
            .transpose()?;
        let filters = Filters::new(request, regex);
        let now = self.clock.now();
        let at = self.query_context(&request.context, now);
        let listed = if request.include_ineligible { most } else { 0 };
        let store = self.read();
        let passed = filters.run(&store, at, most, listed);
        let ranked = passed
            .best
            .iter()
            .map(|best| Ranked::new(best, &request.context, now));
        let ineligible: Vec<_> = passed
            .ineligible
            .iter()
            .map(|(slot, hint)| slot.with_names(hint))
            .collect();
        let (hints, total, scoped_out) = (ranked.collect(), passed.total, passed.scoped_out);
        drop(store);
        let explain = |(component, key, hint): (Name, Name, Arc<Hint>)| Ineligible {
            component,
            key,
            near_misses: hint.failed_conditions(at.facts),
        };
        let ineligible = request
            .include_ineligible
            .then(|| ineligible.into_iter().map(explain).collect());
        Ok(Found {
            hints,
            total,
            scoped_out,
            ineligible,
        })
    }

    /// Lists the components.
    pub(crate) fn list(&self, request: &ListComponents) -> Components {
        let now = self.clock.now();
        request.list(&self.read(), now)
    }

    /// Gives the store, or a part of it, as a payload.
    pub(crate) fn snapshot(&self, by: &Caller<'_>, request: &Export) -> Result<Exported, Error> {
        if request.include_secrets && !by.is_user() {
            let words = "only the user may export secrets; export without `include_secrets`";
            return Err(Error::forbidden("secret", words));
        }
        let now = self.clock.now();
        let session = (self.created_at(), Arc::clone(&self.session_id));
        Ok(request.collect(&self.read(), session, now))
    }

    /// Tells what is being worked on.
    pub(crate) fn working_on(&self, request: &GetContext) -> Result<ContextSets, Error> {
        let working_set = self.read().working_set().clone();
        request.answer(&working_set)
    }

    /// Lists the proposals that wait.
    pub(crate) fn waiting(&self) -> Proposals {
        let proposals = self.read().proposals().cloned().collect();
        Proposals { proposals }
    }

    /// Writes the hints that apply as a block of text for a prompt.
    pub(crate) fn block(&self, request: &PromptBlock) -> Result<Block, Error> {
        let at = self.query_context(&request.context, self.clock.now());
        let picked = request.pick(&self.read(), at)?;
        Ok(picked.write())
    }
}
