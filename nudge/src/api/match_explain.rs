//! `MatchExplain` and `NearMiss`: the place that words reasons, what came of a
//! hint's uses aside, which is in `track_record.rs`.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;
use crate::hint::origin::who;
use crate::model::anchor::CheckedAnchor;
use crate::model::scope::Os;
use crate::model::time::Age;
use crate::scope::context::{Context, Facts};
use crate::scope::matcher::ScopeMatcher;
use crate::scope::near_miss::has_env;

/// Why a hint was returned: its score, its terms, and the reasons in words.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Said", into = "Said")]
#[schemars(with = "Said")]
pub struct MatchExplain {
    /// Whether the scope matched.
    pub matched: bool,
    /// From 0 to 1, with four decimals.
    pub score: f64,
    parts: Parts,
    why: Why,
    /// What became of what the hint rests on.
    checked: Option<String>,
}

/// The reasons in words, or all that they are worded from.
///
/// Most callers take the hint and never read why; they do not pay for it, and
/// no lock is held when somebody does.
#[derive(Clone)]
enum Why {
    Known {
        hint: Arc<Hint>,
        context: Context,
        now: DateTime<Utc>,
    },
    Said(Vec<String>),
}

impl MatchExplain {
    pub(crate) fn new(
        (parts, score): (Parts, i64),
        hint: Arc<Hint>,
        context: Context,
        now: DateTime<Utc>,
    ) -> MatchExplain {
        MatchExplain {
            matched: true,
            score: from_ten_thousandths(score),
            parts,
            why: Why::Known { hint, context, now },
            checked: None,
        }
    }

    /// Says what became of what the hint rests on, and how it counts then.
    pub(crate) fn check(&mut self, checked: &CheckedAnchor, (parts, score): (Parts, i64)) {
        self.checked = Some(checked.describe());
        self.parts = parts;
        self.score = from_ten_thousandths(score);
    }

    /// The terms as they were reckoned.
    pub(crate) fn exact_parts(&self) -> Parts {
        self.parts
    }

    /// The terms that add up to the score, with four decimals.
    #[must_use]
    pub fn parts(&self) -> Parts {
        self.parts.rounded()
    }

    /// The reasons, a sentence each.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let mut reasons = match &self.why {
            Why::Known { hint, context, now } => reasons(hint, context.facts(), *now),
            Why::Said(reasons) => reasons.clone(),
        };
        reasons.extend(self.checked.clone());
        reasons
    }
}

fn reasons(hint: &Hint, facts: &Facts, now: DateTime<Utc>) -> Vec<String> {
    let mut reasons = match &hint.meta.scope {
        Some(matcher) => conditions_met(matcher, facts),
        None => match hint.found_in() {
            Some(file) => vec![format!("{file} declares it")],
            None => vec!["applies everywhere".to_owned()],
        },
    };
    if let Some(used) = hint.last_used_at {
        let age = Age::of(used, now);
        let is_recent = age.0 <= 24 * 60 * 60;
        let how = if is_recent { "recently" } else { "last" };
        reasons.push(format!("{how} used ({age} ago)"));
    }
    reasons.extend(hint.describe_failures(&now));
    if let Some(origin) = &hint.meta.origin
        && let Some(replaced) = &origin.replaced
    {
        let by = who(&origin.via, origin.client.as_ref());
        let had = who(&replaced.via, replaced.client.as_ref());
        reasons.push(format!("value changed by {by}; {had} had set it"));
    }
    reasons
}

fn conditions_met(matcher: &ScopeMatcher, facts: &Facts) -> Vec<String> {
    let os = facts.os.filter(|_| matcher.os.is_some());
    let met = [
        ("cwd matched ", matcher.matching_glob(facts), ""),
        ("repo=", matcher.matching_repo(facts), " allowed"),
        ("branch=", matcher.matching_branch(facts), " allowed"),
        ("os=", os.map(Os::as_str), " allowed"),
    ];
    let met = met.into_iter();
    let met = met.filter_map(|(what, word, how)| Some([what, word?, how].concat()));
    let mut reasons: Vec<String> = met.collect();
    let required = matcher.env_required.iter().flatten();
    reasons.extend(required.map(|name| format!("env {name} is set")));
    for name in matcher.env_match.iter().flat_map(|names| names.keys()) {
        reasons.push(format!("env {} allowed", has_env(facts, name)));
    }
    reasons
}

/// An explanation as JSON has it; Python makes a class of the name.
#[derive(PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "MatchExplain")]
struct Said {
    matched: bool,
    /// From 0 to 1 with the usual weights; four decimals.
    #[serde(default)]
    #[schemars(range(min = 0))]
    score: f64,
    /// Why, in words.
    #[serde(default)]
    reasons: Vec<String>,
    /// The terms that add up to the score.
    #[serde(default)]
    parts: Parts,
}

impl From<Said> for MatchExplain {
    fn from(said: Said) -> MatchExplain {
        MatchExplain {
            matched: said.matched,
            score: said.score,
            parts: said.parts,
            why: Why::Said(said.reasons),
            checked: None,
        }
    }
}

impl From<MatchExplain> for Said {
    fn from(explain: MatchExplain) -> Said {
        Said {
            matched: explain.matched,
            score: explain.score,
            reasons: explain.reasons(),
            parts: explain.parts(),
        }
    }
}

impl PartialEq for MatchExplain {
    fn eq(&self, other: &MatchExplain) -> bool {
        Said::from(self.clone()) == Said::from(other.clone())
    }
}

impl fmt::Debug for MatchExplain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchExplain")
            .field("matched", &self.matched)
            .field("score", &self.score)
            .field("reasons", &self.reasons())
            .field("parts", &self.parts())
            .finish_non_exhaustive()
    }
}

/// The five terms of a score, each already weighted: they add up to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(missing_docs, reason = "each is the term of the weight of that name")]
pub struct Parts {
    pub frecency: f64,
    pub priority: f64,
    pub confidence: f64,
    pub specificity: f64,
    pub recency: f64,
}

impl Parts {
    /// The terms as they are printed, with four decimals.
    pub(crate) fn rounded(self) -> Parts {
        let round = |term: f64| from_ten_thousandths(ten_thousandths(term));
        Parts {
            frecency: round(self.frecency),
            priority: round(self.priority),
            confidence: round(self.confidence),
            specificity: round(self.specificity),
            recency: round(self.recency),
        }
    }
}

/// Rounds half up. `f64::round` is a library call that would be a tenth of a get.
#[expect(
    clippy::cast_possible_truncation,
    reason = "terms are small numbers; the cast saturates"
)]
pub(crate) fn ten_thousandths(term: f64) -> i64 {
    (term * 1e4 + 0.5) as i64
}

#[expect(clippy::cast_precision_loss, reason = "a score is a small number")]
pub(crate) fn from_ten_thousandths(score: i64) -> f64 {
    score as f64 / 1e4
}
