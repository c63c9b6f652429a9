//! `Parts`: the terms of a score.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The five terms of a score, each already weighted: they add up to it.
///
/// # Examples
///
/// ```
/// use nudge::{GetHint, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make").priority(7))?;
/// let parts = nudge.get_hint(GetHint::new("api", "build"))?.match_explain.parts();
/// assert_eq!(parts.priority, 0.14);
/// # Ok::<(), nudge::Error>(())
/// ```
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
