//! The `nudge` binary as a library, so that tests can start a server in-process.
//!
//! `cli` is the terminal, `surface` is how a call comes in, `primary` is the
//! process that owns the store, `proxy` one client of it, and `platform` what the
//! operating system is asked for. No rule about hints lives here.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read what they wrote")
)]

pub mod bug;
pub mod cli;
pub mod config;
mod deadline;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz;
mod git;
mod hook;
pub mod install;
pub mod log;
mod observe;
mod past;
pub mod platform;
pub mod primary;
pub mod project;
pub mod proxy;
pub mod store;
pub mod surface;
pub mod sync;
#[cfg(test)]
mod table;
pub mod wire;
