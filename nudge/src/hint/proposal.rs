//! `Proposal`: a hint that waits for somebody to accept it.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;
use crate::model::absent::is_false;
use crate::model::name::Name;
use crate::model::time::{self, Time};

/// A hint that waits for somebody to accept it.
///
/// # Examples
///
/// An agent cannot overwrite what the user has set:
///
/// ```
/// use nudge::{Accept, GetHint, Nudge, SetHint, Source};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// let set = nudge.set_hint(SetHint::new("api", "build", "cmake").source(Source::Agent))?;
/// let proposal = set.proposal.unwrap();
/// assert_eq!(nudge.get_hint(GetHint::new("api", "build"))?.hint.value.text(), "make");
///
/// nudge.accept(Accept::new(proposal.id))?;
/// assert_eq!(nudge.get_hint(GetHint::new("api", "build"))?.hint.value.text(), "cmake");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Proposal {
    /// By which it is accepted or rejected: `nudge accept ID`.
    #[serde(alias = "proposal")] // as an event calls it
    pub id: u64,
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint as it would be.
    pub hint: Arc<Hint>,
    /// Why it is only proposed.
    pub why: Box<str>,
    /// The client that proposes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Name>,
    /// Whether it is to be deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub delete: bool,
    /// When it was proposed; it ends after 30 days.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub proposed_at: DateTime<Utc>,
}

impl Proposal {
    /// Whether its time is not over.
    pub(crate) fn waits(&self, now: DateTime<Utc>) -> bool {
        now < self.proposed_at + TimeDelta::days(30)
    }
}
