//! `Undone`: what an undo took back.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;
use crate::model::absent::is_zero;
use crate::model::name::Name;
use crate::model::scope::Scope;

/// What an undo took back: all that one write of the user's had done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Undone {
    /// The hints, by name.
    pub hints: Vec<TakenBack>,
    /// How many stay as they are because they are marked as secret; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub secrets_left_out: usize,
}

/// A hint that is as it was before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TakenBack {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// Where it applies; absent when that is everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// What had been done to it.
    pub was: Was,
    /// The hint as it is now; absent when there is none again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Arc<Hint>>,
}

/// What had been done to a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Was {
    /// It was deleted.
    Deleted,
    /// Another took its place.
    Overwritten,
    /// It came with the others.
    Created,
}
