//! How a candidate becomes an answer.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{HintMatch, OwnProposal, Ranked};
use crate::api::caller::Caller;
use crate::api::match_explain::MatchExplain;
use crate::hint::proposal::Proposal;
use crate::model::anchor::CheckedAnchor;
use crate::model::host::known_by;
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

    /// How long the text is that a reader has of it.
    fn text_bytes(&self) -> usize {
        let value = if self.hint.is_secret() {
            MASK.len()
        } else {
            self.hint.value.text().len()
        };
        let reason = self.hint.meta.reason.as_ref();
        self.component.len() + self.key.len() + value + reason.map_or(0, |reason| reason.len())
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

impl From<HintMatch> for Ranked {
    fn from(found: HintMatch) -> Ranked {
        Ranked {
            component: found.component,
            key: found.key,
            hint: found.hint,
            score: found.match_explain.score,
            match_explain: found.match_explain,
        }
    }
}

impl Store {
    /// What the caller has proposed for a slot, the newest of it.
    pub(crate) fn proposal_of(&self, by: &Caller<'_>, slot: (&Name, &Name)) -> Option<OwnProposal> {
        if by.is_user() {
            return None;
        }
        let known_by = |client: &str| known_by(client).to_owned();
        let is_own = |one: &&Proposal| {
            let client = one.client.as_deref().map(known_by);
            (&one.component, &one.key) == slot && client == by.client.map(known_by)
        };
        let own = self.proposals().filter(is_own).last()?;
        let value = (!own.delete).then(|| own.hint.value.clone());
        Some(OwnProposal { id: own.id, value })
    }
}

/// Leaves out all hints from the first on for which there is no room, and counts them.
pub(crate) fn leave_out(hints: &mut Vec<Ranked>, room: usize) -> usize {
    let mut left = Some(room);
    let fits = |one: &&Ranked| {
        left = left.and_then(|left| left.checked_sub(one.text_bytes()));
        left.is_some()
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
