//! What is kept on disk in SQLite: the only folder that knows it.
//!
//! `database` opens a file of ours, whatever lies in its place, and `aside` moves away what
//! cannot be used.

mod answers;
mod aside;
mod database;
mod file;
mod load;
mod memory;
mod rows;
mod sessions;

pub(crate) use self::memory::{Loaded, Memory};
pub(crate) use self::sessions::{End, Ended, Session};

#[cfg(test)]
mod tests;
