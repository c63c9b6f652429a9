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
    /// The value that stands where it would, in a listing; never that of a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands: Option<Box<str>>,
    /// Whether it is to be deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub delete: bool,
    /// When it was proposed; it ends after 30 days.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub proposed_at: DateTime<Utc>,
}

impl Proposal {
    /// What speaks for it: how it went, what stands today, and why it is proposed.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ListProposals, Nudge, SetHint, Source};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let set = SetHint::new("api", "build", "cmake").source(Source::Agent).reason("make is gone");
    /// nudge.set_hint(set)?;
    /// let waiting = nudge.list_proposals(ListProposals::default())?;
    /// assert_eq!(waiting.proposals[0].grounds(), "now: make; make is gone");
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn grounds(&self) -> String {
        let hint = Some(&self.hint).filter(|_| !self.delete);
        let record = hint.and_then(|hint| hint.seen_worked().or_else(|| hint.seen_failed()));
        let reason = hint.and_then(|hint| hint.meta.reason.as_deref());
        let reason = reason.unwrap_or(&self.why).to_owned();
        let stands = self.stands.as_ref().map(|stands| format!("now: {stands}"));
        let grounds: Vec<String> = [record, stands, Some(reason)]
            .into_iter()
            .flatten()
            .collect();
        grounds.join("; ")
    }

    /// Whether its time is not over.
    pub(crate) fn waits(&self, now: DateTime<Utc>) -> bool {
        now < self.proposed_at + TimeDelta::days(30)
    }
}
