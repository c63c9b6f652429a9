//! What crosses crates: the vectors, and the payloads that are read forever.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod autostart;
mod client;
mod conformance;
mod crowds;
mod docs;
mod exports;
mod faults;
mod folder_server;
mod guard;
mod held;
mod help;
mod http;
mod listening;
mod mcp;
mod mishaps;
mod noise;
mod process;
mod runtime;
mod schema;
mod served;
mod sharing;
mod signals;
mod strangers;
mod transcripts;
