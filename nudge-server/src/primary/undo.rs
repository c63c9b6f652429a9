//! Taking back what the user did last.

use schemars::JsonSchema;
use serde::Deserialize;

/// Asks for the user's last delete or overwrite to be taken back.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Undo {}
