//! How a candidate becomes an answer.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{HintMatch, OwnProposal, Ranked};
use crate::api::caller::Caller;
use crate::api::match_explain::MatchExplain;
use crate::api::prompt_block::PromptBlock;
use crate::hint::proposal::Proposal;
use crate::model::anchor::CheckedAnchor;
use crate::model::name::Name;
use crate::rank::score::Candidate;
use crate::scope::context::Context;
use crate::secret::MASK;
use crate::store::Store;

impl Ranked {
    pub(crate) fn new(candidate: &Candidate<'_>, context: &Context, now: DateTime<Utc>) -> Ranked {
        let match_explain = explain(candidate, context.clone(), now);
        Ranked {
            component: candidate.component.clone(),
            key: candidate.key.clone(),
            hint: Arc::clone(candidate.hint),
            score: match_explain.score,
            match_explain,
        }
    }

    /// Says what became of what the hint rests on; of what has changed, its confidence is half.
    pub(crate) fn check(&mut self, checked: &CheckedAnchor) {
        let mut parts = self.match_explain.exact_parts();
        parts.confidence *= 0.5;
        self.match_explain.check(checked, (parts, parts.score()));
        self.score = self.match_explain.score;
    }

    /// The same as the answer to a get.
    pub(crate) fn into_match(self, alternatives: Vec<Ranked>) -> HintMatch {
        HintMatch {
            component: self.component,
            key: self.key,
            hint: self.hint,
            match_explain: self.match_explain,
            alternatives,
            proposal: None,
        }
    }
}

impl Store {
    /// What the caller has proposed for a slot, the newest of it.
    pub(crate) fn proposal_of(
        &self,
        by: &Caller<'_>,
        slot: (&Name, &Name),
        now: DateTime<Utc>,
    ) -> Option<OwnProposal> {
        if by.is_user() {
            return None;
        }
        let is_own = |one: &&Proposal| (&one.component, &one.key) == slot && by.may_see(one);
        let own = self.proposals(now).filter(is_own).last()?;
        let value = (!own.delete).then(|| own.hint.value.clone());
        Some(OwnProposal { id: own.id, value })
    }
}

/// Leaves out all hints from the first on for which there is no room, and counts them.
pub(crate) fn leave_out(hints: &mut Vec<Ranked>, tokens: usize) -> usize {
    let mut bytes = 0;
    let fits = |one: &&Ranked| {
        let secret = one.hint.is_secret().then_some(MASK.len());
        let reason = one.hint.meta.reason.as_deref().unwrap_or_default();
        bytes += one.component.len() + one.key.len() + reason.len();
        bytes += secret.unwrap_or_else(|| one.hint.value.text().len());
        bytes <= tokens * PromptBlock::BYTES_A_TOKEN
    };
    let kept = hints.iter().take_while(fits).count();
    hints.drain(kept..).count()
}

/// Why a candidate is returned.
pub(crate) fn explain(
    candidate: &Candidate<'_>,
    context: Context,
    now: DateTime<Utc>,
) -> MatchExplain {
    let (parts, score) = (candidate.parts, candidate.score);
    MatchExplain::new((parts, score), Arc::clone(candidate.hint), context, now)
}
