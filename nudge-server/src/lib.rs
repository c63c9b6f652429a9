//! The `nudge` binary as a library, so that tests can start a server in-process.
//!
//! `cli` is the terminal's room, `surface` is how a call comes in, `session` is who
//! owns the store and how the processes of a machine share it. No rule about
//! hints lives here.

#![forbid(unsafe_code)]

pub mod bug;
pub mod cli;
pub mod config;
mod hook;
mod install;
mod json_text;
mod learn;
pub mod session;
pub mod surface;
