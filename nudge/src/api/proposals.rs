//! The requests and answers about hints that are only proposed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::set_hint::{MetaPatch, SetHint};
use crate::hint::HintValue;
use crate::hint::proposal::Proposal;
use crate::model::name::Name;
use crate::model::object;
use crate::model::rows::shows;

/// Asks for a hint to be proposed instead of set.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, Propose, SetHint};
///
/// let nudge = Nudge::default();
/// let hint = SetHint::new("api", "test", "make test JOBS=1");
/// let proposed = nudge.propose(Propose::new(hint, "failed as `make test`"))?;
/// assert_eq!(proposed.proposal.id, 1);
/// assert_eq!(nudge.stats().hints, 0);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Propose {
    /// A service, module or folder by name, such as `http-proxy`.
    #[schemars(length(min = 1))]
    pub component: Name,
    /// The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`.
    #[schemars(length(min = 1))]
    pub key: Name,
    /// The fact: plain text, or an object with a `type`; one of type `json` has any JSON value
    /// as its `data`.
    pub value: HintValue,
    /// What is known about the fact.
    #[serde(default, deserialize_with = "object::or_default")]
    #[serde(skip_serializing_if = "MetaPatch::is_empty")]
    pub meta: MetaPatch,
    /// Why it is proposed, in a sentence.
    pub why: Box<str>,
}

/// Asks for the hint of a proposal to be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Accept {
    /// The number of the proposal.
    pub id: u64,
}

/// Asks for a proposal to be dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Reject {
    /// The number of the proposal.
    pub id: u64,
}

/// Asks which proposals wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ListProposals {}

/// A proposal that waits now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Proposed {
    /// The proposal.
    pub proposal: Proposal,
}

/// The proposals that wait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Proposals {
    /// Each of them, the oldest first.
    pub proposals: Vec<Proposal>,
}

impl Propose {
    /// Proposes a hint, and says why.
    pub fn new(hint: SetHint, why: impl Into<Box<str>>) -> Propose {
        Propose {
            component: hint.component,
            key: hint.key,
            value: hint.value,
            meta: hint.meta,
            why: why.into(),
        }
    }
}

// Nobody has looked yet whether the reason is a secret.
shows! { Propose: component key value meta }

impl Accept {
    /// Means a proposal by its number.
    #[must_use]
    pub fn new(id: u64) -> Accept {
        Accept { id }
    }
}

impl Reject {
    /// Means a proposal by its number.
    #[must_use]
    pub fn new(id: u64) -> Reject {
        Reject { id }
    }
}
