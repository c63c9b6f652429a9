//! What happened: commands, edits and prompts, told by hooks, kept in a file of the user's and
//! searched without a model.
//!
//! `record` says what is kept of an event, `observer` writes it behind the back of whoever
//! told it, `questions` and `fix` answer. Without the feature `observe` there is `absent`.

#![cfg_attr(
    not(feature = "observe"),
    allow(dead_code, reason = "the words of the wire are there in every build")
)]

#[cfg(not(feature = "observe"))]
mod absent;
pub(crate) mod answers;
#[cfg(feature = "observe")]
mod error_words;
#[cfg(feature = "observe")]
mod fix;
#[cfg(feature = "observe")]
mod house;
#[cfg(feature = "observe")]
mod lately;
#[cfg(feature = "observe")]
mod observer;
pub(crate) mod private;
#[cfg(feature = "observe")]
mod questions;
#[cfg(feature = "observe")]
mod record;
pub(crate) mod requests;
#[cfg(feature = "observe")]
mod schema;
#[cfg(feature = "observe")]
mod search;
#[cfg(feature = "observe")]
mod trace;

#[cfg(not(feature = "observe"))]
pub(crate) use self::absent::Observer;
#[cfg(feature = "observe")]
pub(crate) use self::observer::Observer;

/// What a PRIMARY is told, before anybody has looked at it.
pub(crate) struct Noted {
    /// When, in seconds since 1970.
    pub(crate) at: i64,
    /// The params of the call that told it.
    pub(crate) params: String,
}

#[cfg(all(test, feature = "observe"))]
mod tests;
