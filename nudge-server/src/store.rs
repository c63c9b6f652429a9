//! What is kept on disk in SQLite: the only folder that knows it.
//!
//! `database` opens a file of ours, whatever lies in its place, and `aside` moves away what
//! cannot be used.

#![allow(dead_code, unused_imports, reason = "who uses these comes next")]

mod aside;
mod database;

pub(crate) use self::aside::{forget_old_aside, put_aside, remove_aside};
pub(crate) use self::database::{
    Opened, Refusal, Schema, failure, is_damage, open, salvage, settle, shed,
};

#[cfg(test)]
mod tests;
