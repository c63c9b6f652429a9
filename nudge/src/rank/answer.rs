//! How a candidate becomes an answer.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{HintMatch, Ranked};
use crate::api::match_explain::MatchExplain;
use crate::rank::score::Candidate;
use crate::scope::context::Context;

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

    /// The same as the answer to a get.
    pub(crate) fn into_match(self, alternatives: Vec<Ranked>) -> HintMatch {
        HintMatch {
            component: self.component,
            key: self.key,
            hint: self.hint,
            match_explain: self.match_explain,
            alternatives,
        }
    }
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
