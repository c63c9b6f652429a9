//! The score: five terms, their constants, and the order of hints.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};

use crate::api::match_explain::{Parts, ten_thousandths};
use crate::config::Weights;
use crate::hint::Hint;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::rank::query::QueryContext;
use crate::scope::context::Facts;
use crate::scope::glob::Allowance;
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
    class: Class,
    /// How many open files its scope points at.
    open_files: usize,
}

/// Whose word goes first where several apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The user's, for a place.
    UsersPlace,
    /// The project's, which the user trusts.
    Project,
    /// The user's others.
    Users,
    /// Everybody else's.
    Others,
}

impl Class {
    fn of(hint: &Hint) -> Class {
        let names_place = hint.scope().is_some_and(Scope::names_place);
        match (hint.is_users(), names_place) {
            (true, _) if hint.is_projects() => Class::Project,
            (true, true) => Class::UsersPlace,
            (true, false) => Class::Users,
            (false, _) => Class::Others,
        }
    }
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(
        (component, key): (&'a Name, &'a Name),
        hint: &'a std::sync::Arc<Hint>,
        at: QueryContext<'_>,
    ) -> Candidate<'a> {
        let parts = Parts::of(hint, at.weights, at.now);
        Candidate {
            component,
            key,
            hint,
            parts,
            score: parts.score(),
            class: Class::of(hint),
            open_files: open_files(hint, at.facts),
        }
    }

    fn matcher(&self) -> Option<&'a ScopeMatcher> {
        self.hint.meta.scope.as_deref()
    }

    fn stated(&self) -> u8 {
        self.matcher().map_or(0, ScopeMatcher::stated)
    }

    /// The order among those of a class that do not dominate each other: of the user's the
    /// newest goes first.
    fn in_class_order(&self, other: &Candidate<'_>) -> Ordering {
        let newest = || other.hint.updated_at.cmp(&self.hint.updated_at);
        let by_score = || self.order(other);
        match self.class {
            Class::UsersPlace | Class::Users => newest().then_with(by_score),
            Class::Project | Class::Others => by_score(),
        }
    }

    /// The order of results: the better one is less. Total, since no two
    /// variants of a store have the same component, key and scope.
    pub(crate) fn order(&self, other: &Candidate<'_>) -> Ordering {
        other
            .score
            .cmp(&self.score)
            .then_with(|| other.open_files.cmp(&self.open_files))
            .then_with(|| other.parts.frecency.total_cmp(&self.parts.frecency))
            .then_with(|| other.parts.priority.total_cmp(&self.parts.priority))
            .then_with(|| other.parts.confidence.total_cmp(&self.parts.confidence))
            .then_with(|| other.parts.specificity.total_cmp(&self.parts.specificity))
            .then_with(|| other.hint.updated_at.cmp(&self.hint.updated_at))
            .then_with(|| self.component.cmp(other.component))
            .then_with(|| self.key.cmp(other.key))
            .then_with(|| self.hint.scope().cmp(&other.hint.scope()))
    }
}

/// How many open files lie where the scope's globs point: at the file, or at a folder above it.
/// They only break a tie, so no more than some are looked at.
fn open_files(hint: &Hint, facts: &Facts) -> usize {
    let matcher = hint.meta.scope.as_deref();
    let Some(matcher) = matcher.filter(|_| !facts.files_open.is_empty()) else {
        return 0;
    };
    let _allowance = Allowance::apart();
    let under = |file: &&String| above(file).any(|path| matcher.glob_for(path, facts).is_some());
    facts.files_open.iter().filter(under).count()
}

/// Which of the candidates of one slot a get chooses.
pub(crate) fn chosen(candidates: &[Candidate<'_>], facts: &Facts) -> Option<usize> {
    in_get_order(candidates, facts, 1).first().copied()
}

/// The order in which a get would choose the candidates of one slot, as far as it is wanted.
///
/// Dominance alone is only a partial order, and mixed with the score it could
/// run in a circle; choosing among those that no other one dominates cannot.
pub(crate) fn in_get_order<'a>(
    candidates: &[Candidate<'a>],
    facts: &Facts,
    most: usize,
) -> Vec<usize> {
    let left = candidates.iter().enumerate().map(|(index, one)| Left {
        index,
        one: *one,
        folder: one.matcher().and_then(|own| own.matching_folder(facts)),
        dominators: 0,
    });
    let mut left: Vec<Left<'a>> = left.collect();
    let all = left.clone();
    for one in &mut left {
        one.dominators = all.iter().filter(|other| other.dominates(one)).count();
    }
    let mut ordered = Vec::with_capacity(left.len().min(most));
    while ordered.len() < most
        && let Some(place) = next(&left)
    {
        let best = left.swap_remove(place);
        ordered.push(best.index);
        for one in left.iter_mut().filter(|one| best.dominates(one)) {
            one.dominators -= 1;
        }
    }
    ordered
}

/// A candidate that is not in order yet.
#[derive(Clone, Copy)]
struct Left<'a> {
    /// Which one it is.
    index: usize,
    one: Candidate<'a>,
    /// The folder that its matching glob surely means, which takes a while to tell.
    folder: Option<&'a str>,
    /// How many of those that are left dominate it.
    dominators: usize,
}

impl Left<'_> {
    /// Whether it says more exactly than another of its class where it applies: it states all that
    /// the other does and more, or it is for a folder below the other's.
    fn dominates(&self, other: &Left<'_>) -> bool {
        let (own, others) = (self.one.stated(), other.one.stated());
        let is_more_exact = match (self.folder, other.folder) {
            _ if own != others => own & others == others,
            (Some(own), Some(others)) => own.len() > others.len() && own.starts_with(others),
            _ => false,
        };
        is_more_exact && self.one.class == other.one.class
    }
}

/// The place of the best of the first class that none of it dominates.
fn next(left: &[Left<'_>]) -> Option<usize> {
    let class = left.iter().map(|left| left.one.class).min()?;
    let free = left.iter().enumerate();
    let free = free.filter(|(_, left)| left.one.class == class && left.dominators == 0);
    let best = free.min_by(|(_, a), (_, b)| a.one.in_class_order(&b.one));
    best.map(|(place, _)| place)
}
