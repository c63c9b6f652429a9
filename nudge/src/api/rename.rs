//! `Moved`: what a move did.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;
use crate::model::name::Name;

/// The hints that stand under another name from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Moved {
    /// Each variant, by its new name.
    pub hints: Vec<MovedHint>,
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
