//! What can be asked about kept hints, and the answers.

use std::ops::{Deref, DerefMut};

use nudge::{Context, Hint, Name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) use crate::project::trust::ProjectHint;

/// Asks that a hint is kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keep {
    /// The component.
    pub(super) component: Name,
    /// The key.
    pub(super) key: Name,
    /// Where it is kept; for the repositories that the hint names when absent.
    #[serde(default)]
    pub(super) layer: Option<LayerName>,
    /// Where the caller is; the hint is the one that a get from there returns.
    #[serde(default)]
    pub(super) context: Option<Context>,
    /// Whether only to say what would be done; false when absent.
    #[serde(default)]
    pub(super) dry_run: Option<bool>,
}

/// The layers that a hint can be put into.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LayerName {
    /// The user's own, in this repository.
    Repository,
    /// The user's own, everywhere.
    Everywhere,
    /// The project's own file, `.nudge-hints.json`.
    Project,
}

/// A hint that is kept.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Keeping {
    /// The component.
    pub(crate) component: Name,
    /// The key.
    pub(crate) key: Name,
    /// The hint as it is now.
    pub(crate) hint: Arc<Hint>,
    /// Where it is kept.
    pub(crate) layer: LayerName,
    /// The project's file before and after, where that is the layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<FileChange>,
}

/// A file that was changed.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FileChange {
    /// Where it is.
    pub(crate) path: String,
    /// Its text before; empty when it was not there.
    pub(crate) before: String,
    /// Its text after.
    pub(crate) after: String,
}

/// Asks which hints are kept where the caller is.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ListKept {
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// The hints that are kept there.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct KeptHints {
    /// By name; those of the repository, then those that apply everywhere. What the project's own file
    /// says is not among them.
    pub(crate) hints: Vec<KeptHint>,
    /// How many hints of the project's file wait to be trusted, as far as the user asks.
    pub(crate) waiting: usize,
}

/// One of them.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct KeptHint {
    /// The component.
    pub(crate) component: Name,
    /// The key.
    pub(crate) key: Name,
    /// Where it is kept.
    pub(crate) layer: LayerName,
    /// The hint.
    pub(crate) hint: Arc<Hint>,
}

/// Asks to trust hints of the project's file, or not to any more.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Trust {
    /// Only those of a component.
    pub(super) component: Option<Name>,
    /// Only those with a key.
    pub(super) key: Option<Name>,
    /// Only those with these hashes: what was looked at, and not what the file says by now.
    pub(super) hashes: Option<Vec<String>>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
    /// Whether only to list them; false when absent.
    pub(super) dry_run: Option<bool>,
}

/// The same, not to trust them any more.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Untrust(pub(crate) Trust);

impl Deref for Untrust {
    type Target = Trust;

    fn deref(&self) -> &Trust {
        &self.0
    }
}

impl DerefMut for Untrust {
    fn deref_mut(&mut self) -> &mut Trust {
        &mut self.0
    }
}

/// The hints that are trusted from now on, or no longer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Trusted {
    /// Those that were meant.
    pub(crate) hints: Vec<ProjectHint>,
    /// How many of the project's file still wait.
    pub(crate) waiting: usize,
}
