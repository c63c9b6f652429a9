//! Who a hint comes from, and whether its value may be shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a value may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// Stored past the guard; masked wherever people look, left out of exports.
    Secret,
    /// May be shown.
    Normal,
}

/// Who a hint comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A person, or a program on its own account.
    User,
    /// A coding agent.
    Agent,
    /// The output of a tool.
    ToolOutput,
    /// An imported file.
    FileImport,
}
