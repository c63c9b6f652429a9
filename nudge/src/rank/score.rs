//! The score: five terms, their constants, and the order of hints.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};

use crate::api::parts::{Parts, ten_thousandths};
use crate::config::Weights;
use crate::hint::Hint;
use crate::model::name::Name;
use crate::scope::context::Facts;
use crate::scope::matcher::ScopeMatcher;
use crate::scope::path::above;

/// The priority of a hint that states none.
const PRIORITY: u8 = 5;

/// The confidence of a hint that states none.
const CONFIDENCE: f64 = 0.5;

impl Parts {
    /// The terms of a hint's score at `now`.
    pub(crate) fn of(hint: &Hint, weights: &Weights, now: DateTime<Utc>) -> Parts {
        let priority = f64::from(hint.meta.priority.unwrap_or(PRIORITY)) / 10.0;
        let fields = hint
            .meta
            .scope
            .as_ref()
            .map_or(0, |matcher| matcher.stated().count_ones());
        Parts {
            frecency: weights.frecency * frecency(hint, weights, now),
            priority: weights.priority * priority,
            confidence: weights.confidence * confidence(hint),
            specificity: weights.specificity * f64::from(fields) / 6.0,
            recency: weights.recency * fade(hint.updated_at, weights, now),
        }
    }

    /// The score in ten-thousandths.
    ///
    /// Hints are ordered by the score as it is printed: two that look equal
    /// are equal, and what breaks ties can do so although no two hints are
    /// of quite the same age.
    pub(crate) fn score(&self) -> i64 {
        let sum = self.frecency + self.priority + self.confidence + self.specificity + self.recency;
        ten_thousandths(sum)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "beyond 2^53 uses, one more does not count"
)]
fn frecency(hint: &Hint, weights: &Weights, now: DateTime<Utc>) -> f64 {
    let Some(used) = hint.last_used_at else {
        return 0.0;
    };
    let often = 1.0 - (-(hint.use_count as f64) / weights.half_uses).exp2();
    often * fade(used, weights, now)
}

/// How far a hint is trusted: less, the more of its uses failed. One that has
/// not failed is trusted as it states.
#[expect(
    clippy::cast_precision_loss,
    reason = "beyond 2^53 uses, one more does not count"
)]
fn confidence(hint: &Hint) -> f64 {
    let stated = hint.meta.confidence.unwrap_or(CONFIDENCE);
    if hint.fail_count == 0 {
        return stated;
    }
    let (used, failed) = (hint.use_count as f64, hint.fail_count as f64);
    stated * (used + 1.0) / (used + failed + 1.0)
}

/// Halves with every half-life since `then`; a time to come counts as now.
#[expect(
    clippy::cast_precision_loss,
    reason = "ages are far below 2^53 milliseconds"
)]
fn fade(then: DateTime<Utc>, weights: &Weights, now: DateTime<Utc>) -> f64 {
    let age = now.timestamp_millis() - then.timestamp_millis();
    if age <= 0 {
        return 1.0;
    }
    (-(age as f64) / (weights.half_life_seconds * 1e3)).exp2()
}

/// A hint that may be returned, with all that its place among others depends on.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) component: &'a Name,
    pub(crate) key: &'a Name,
    pub(crate) hint: &'a std::sync::Arc<Hint>,
    pub(crate) parts: Parts,
    pub(crate) score: i64,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(
        (component, key): (&'a Name, &'a Name),
        hint: &'a std::sync::Arc<Hint>,
        weights: &Weights,
        now: DateTime<Utc>,
    ) -> Candidate<'a> {
        let parts = Parts::of(hint, weights, now);
        Candidate {
            component,
            key,
            hint,
            parts,
            score: parts.score(),
        }
    }

    fn matcher(&self) -> Option<&'a ScopeMatcher> {
        self.hint.meta.scope.as_deref()
    }

    fn stated(&self) -> u8 {
        self.matcher().map_or(0, ScopeMatcher::stated)
    }

    /// The order of results: the better one is less. Total, since no two
    /// variants of a store have the same component, key and scope.
    pub(crate) fn order(&self, other: &Candidate<'_>, facts: &Facts) -> Ordering {
        other
            .score
            .cmp(&self.score)
            .then_with(|| other.open_files(facts).cmp(&self.open_files(facts)))
            .then_with(|| other.parts.frecency.total_cmp(&self.parts.frecency))
            .then_with(|| other.parts.priority.total_cmp(&self.parts.priority))
            .then_with(|| other.parts.confidence.total_cmp(&self.parts.confidence))
            .then_with(|| other.parts.specificity.total_cmp(&self.parts.specificity))
            .then_with(|| other.hint.updated_at.cmp(&self.hint.updated_at))
            .then_with(|| self.component.cmp(other.component))
            .then_with(|| self.key.cmp(other.key))
            .then_with(|| self.hint.scope().cmp(&other.hint.scope()))
    }

    /// How many open files lie where the scope's globs point: at the file, or
    /// at a folder above it.
    fn open_files(&self, facts: &Facts) -> usize {
        let Some(matcher) = self.matcher() else {
            return 0;
        };
        let caseless = facts.is_caseless();
        let mut files = facts.files_open.iter();
        let under =
            |file: &&String| above(file).any(|path| matcher.glob_for(path, caseless).is_some());
        files.by_ref().filter(under).count()
    }
}

/// The sets of stated conditions that are present among some hints.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stated(u64);

impl Stated {
    pub(crate) fn add(&mut self, stated: u8) {
        self.0 |= 1 << (stated & 63);
    }

    /// Whether some hint states all that `stated` has and more.
    pub(crate) fn dominates(self, stated: u8) -> bool {
        let mut left = self.0;
        while left != 0 {
            let other = u8::try_from(left.trailing_zeros()).unwrap_or(0);
            if other != stated && other & stated == stated {
                return true;
            }
            left &= left - 1;
        }
        false
    }
}

/// Puts the candidates of one slot into the order in which `get` chooses:
/// again and again the best of those that no other one left dominates.
///
/// Dominance alone is only a partial order, and mixed with the score it could
/// run in a circle; choosing one at a time cannot.
pub(crate) fn by_dominance<'a>(
    mut candidates: Vec<Candidate<'a>>,
    facts: &Facts,
    most: usize,
) -> Vec<Candidate<'a>> {
    candidates.sort_unstable_by(|a, b| a.order(b, facts));
    let mut chosen = Vec::with_capacity(candidates.len().min(most));
    while chosen.len() < most && !candidates.is_empty() {
        let mut present = Stated::default();
        for candidate in &candidates {
            present.add(candidate.stated());
        }
        let best = candidates
            .iter()
            .position(|c| !present.dominates(c.stated()));
        chosen.push(candidates.remove(best.unwrap_or(0)));
    }
    chosen
}
