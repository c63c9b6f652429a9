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
mod purge;
mod questions;
pub(crate) mod record;
pub(crate) mod requests;
mod runs;
mod search;
mod trace;

pub(crate) use self::observer::{Observer, no_repository};

/// What a PRIMARY is told, before anybody has looked at it.
pub(crate) struct Noted {
    /// When, in seconds since 1970.
    pub(crate) at: i64,
    /// The params of the call that told it.
    pub(crate) params: String,
}

#[cfg(test)]
mod tests;
