//! What is kept on disk in SQLite: the only folder that knows it.
//!
//! `database` opens a file of ours, whatever lies in its place, and `aside` moves away what
//! cannot be used. `memory` is `nudge.db`, what is loaded at a start: `rows` says what a change
//! writes, `load` reads it back, `file` has the connection, `answers` the last call of each
//! client, `sessions` what begins and ends, and which clones are known. `history` is the
//! file of what happened, with `runs` and what was `told`, `observations` what is asked of it;
//! `foreign` reads what other programs keep.

mod answers;
mod aside;
mod database;
mod file;
mod foreign;
mod heard;
mod history;
mod load;
mod memory;
mod observations;
mod rows;
mod runs;
mod sessions;
mod told;

pub(crate) use self::aside::{files, has_history};
pub use self::database::Refusal;
pub(crate) use self::foreign::{AtuinCommand, Foreign};
pub(crate) use self::heard::Heard;
pub(crate) use self::history::{ByHost, History, Limits, Meant, Recorded, STEP};
pub use self::memory::{Loaded, Memory};
pub(crate) use self::observations::{ObsType, Observation, Reader, Row};
pub(crate) use self::sessions::{End, Ended, Session};
pub(crate) use self::told::{AgentSession, Receipts, ToldRow};

#[cfg(test)]
mod tests;
