//! `Moved`: what a move did.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;
use crate::model::absent::is_zero;
use crate::model::name::Name;

/// The hints that stand under another name from now on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Moved {
    /// Each variant, by its new name.
    pub hints: Vec<MovedHint>,
    /// How many of the old name stay: they apply in other places, or in all; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub elsewhere: usize,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MovedHint {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint, as it was.
    pub hint: Arc<Hint>,
}
