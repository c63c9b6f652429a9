//! `EventKind`: what kinds of events there are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a host can hold a command back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(with = "String", inline, description = "")]
#[non_exhaustive]
pub enum HoldBack {
    /// It can, and takes words besides.
    May,
    /// It can do nothing else before a command: other words would be lost.
    Only,
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", from = "String")]
#[schemars(with = "String", inline, description = "")]
#[non_exhaustive]
pub enum EventKind {
    /// A session starts, is resumed, or was compacted.
    SessionStart,
    /// What the agent was told is gone, where the host takes no words; they come with its next
    /// event.
    ContextLost,
    /// The user asks for something.
    Prompt,
    /// A command is about to run.
    BeforeCommand,
    /// A command has run.
    AfterCommand,
    /// A file is about to be changed.
    BeforeEdit,
    /// A file was changed.
    AfterEdit,
    /// A file was written as a whole.
    AfterWrite,
    /// A session ends.
    SessionEnd,
    /// Anything else; nothing follows from it.
    Other,
}

/// What each is called in JSON.
const NAMES: [(&str, EventKind); 9] = [
    ("session_start", EventKind::SessionStart),
    ("context_lost", EventKind::ContextLost),
    ("prompt", EventKind::Prompt),
    ("before_command", EventKind::BeforeCommand),
    ("after_command", EventKind::AfterCommand),
    ("before_edit", EventKind::BeforeEdit),
    ("after_edit", EventKind::AfterEdit),
    ("after_write", EventKind::AfterWrite),
    ("session_end", EventKind::SessionEnd),
];

impl EventKind {
    /// Its name in JSON.
    pub(crate) fn name(self) -> &'static str {
        let named = NAMES.iter().find(|(_, kind)| *kind == self);
        named.map_or("other", |(name, _)| name)
    }
}

impl From<String> for EventKind {
    fn from(name: String) -> EventKind {
        let named = NAMES.iter().find(|(known, _)| *known == name);
        named.map_or(EventKind::Other, |(_, kind)| *kind)
    }
}
