//! `Anchor`: what a hint rests on in its project's files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::name::Name;

/// Something in a project's files that a hint rests on: a file, or a name that a file
/// declares.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// The file, from the root of the worktree, and after `#` the name in it, such as
    /// `package.json#scripts.test`; up to 256 bytes.
    pub at: Name,
    /// A hash of what stood there when the hint last worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<Name>,
    /// `absent` where it rests on the file not being there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Absent>,
}

/// That something is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// It is not there.
    Absent,
}

/// What became of an [`Anchor`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnchorState {
    /// It is as it was when the hint last worked.
    Holds,
    /// Nobody can tell.
    Unknown,
    /// It is there, and is another than when the hint last worked.
    Changed,
    /// The file is there, and the name is not.
    Gone {
        /// The name that is most like it, if one is.
        near: Option<String>,
    },
}

/// What became of what a hint rests on: the worst of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckedAnchor {
    pub(crate) at: Name,
    pub(crate) state: AnchorState,
    /// Whether the hint was seen to work with it.
    pub(crate) has_worked: bool,
}

impl CheckedAnchor {
    /// Whether the name is no longer there.
    pub(crate) fn is_gone(&self) -> bool {
        matches!(self.state, AnchorState::Gone { .. })
    }

    /// What to say of it.
    pub(crate) fn describe(&self) -> String {
        let AnchorState::Gone { near } = &self.state else {
            return format!("{} changed since it last worked", self.at);
        };
        let lost = match self.at.split_once('#').filter(|_| !self.has_worked) {
            Some((file, name)) => format!("{file} has no `{name}`"),
            None if !self.has_worked => format!("there is no {}", self.at),
            None => format!("{} is gone", self.at),
        };
        match near {
            Some(near) => format!("{lost}; the nearest name is `{near}`"),
            None => lost,
        }
    }
}
