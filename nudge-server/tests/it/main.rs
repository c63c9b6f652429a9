//! What crosses crates: the vectors, and the payloads that are read forever.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]
#![expect(clippy::disallowed_methods, reason = "tests read what they wrote")]

mod attacks;
mod autostart;
mod browsers;
mod callers;
mod checkout;
mod client;
mod completions;
mod config;
mod conformance;
mod connect;
mod connection_limit;
mod docs;
mod doctor;
mod entering;
mod exports;
mod faults;
mod folder_server;
mod golden;
mod guard;
mod hands;
mod held;
mod help;
mod hooks;
mod hosts;
mod http;
mod kept;
mod life;
mod man;
mod mcp;
mod mishaps;
mod need;
mod newcomer;
mod noise;
mod observations;
mod openrpc;
mod other_users;
mod page;
mod past;
mod peers;
mod pieces;
mod plugins;
mod process;
mod reach;
mod reference;
mod roots;
mod rpc;
mod runs;
mod runtime;
mod says;
mod schema;
mod served;
mod sharing;
mod signals;
mod slow_server;
mod sync;
mod transcripts;
mod ui;
mod versions;
mod watch;
mod week;
