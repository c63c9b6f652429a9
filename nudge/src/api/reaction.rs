//! `Reaction`: what follows from an event.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::model::absent::is_false;

/// What follows from an event; mostly nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[non_exhaustive]
pub struct Reaction {
    /// What the agent should be told; absent when nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the host is to hold the command back this once, and give the text as the reason.
    #[serde(skip_serializing_if = "is_false")]
    pub hold_back: bool,
    /// What was done besides, each with the component and the key of a hint.
    #[serde(deserialize_with = "known", skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<Did>,
}

impl Reaction {
    /// Tells the agent something, and does nothing besides.
    pub(crate) fn said(text: String) -> Reaction {
        Reaction {
            text: Some(text),
            ..Reaction::default()
        }
    }
}

/// Something that was done, with the component and the key of a hint, such as `api/build`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Did {
    /// A hint worked.
    Bumped(String),
    /// A hint failed.
    Failed(String),
    /// A command was learned.
    Learned(String),
    /// A hint waits to be accepted.
    Proposed(String),
    /// The agent is told of a hint.
    Offered(String),
}

/// Reads what this version knows: a later one may do more.
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Did>, D::Error> {
    let all = Vec::<Value>::deserialize(deserializer)?.into_iter();
    Ok(all
        .filter_map(|one| serde_json::from_value(one).ok())
        .collect())
}
