//! What happened: commands, edits and prompts, told by hooks, kept in a file of the user's and
//! searched without a model.
//!
//! `record` says what is kept of an event, `observer` writes it behind the back of whoever
//! told it, `questions` and `fix` answer.

pub(crate) mod answers;
mod error_words;
mod fix;
mod observer;
pub(crate) mod private;
mod questions;
pub(crate) mod record;
pub(crate) mod requests;
mod runs;
mod search;
mod trace;

use nudge::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::observer::{Observer, no_repository};
pub(crate) use self::search::quoted;

/// Something that happened before.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PastEvent {
    /// When, in seconds since 1970.
    pub(crate) timestamp: i64,
    /// What; its context says the folder, and the branch if that is known.
    pub(crate) event: Event,
}

#[cfg(test)]
mod tests;
