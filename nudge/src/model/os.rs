//! `Os`: an operating system.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An operating system.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the name of the system")]
pub enum Os {
    #[serde(alias = "macos", alias = "mac", alias = "osx")]
    Darwin,
    Linux,
    Windows,
}

impl Os {
    /// The word for it, as in `scope.os`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Os::Linux => "linux",
            Os::Darwin => "darwin",
            Os::Windows => "windows",
        }
    }
}
