//! One client of a Nudge session: it finds the process that owns the store, starts it
//! where none answers, and repeats a call whose answer was lost.
//!
//! The CLI, hooks and MCP over stdio use it. Whether a thread or a task waits is up to a
//! [`Transport`](transport::Transport).

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read what they wrote")
)]

pub mod answer;
mod any_store;
pub mod client;
pub mod connection;
pub mod exchange;
pub mod folder;
mod health;
pub mod http;
pub mod identity;
pub mod json_text;
mod known;
pub mod platform;
pub mod random;
pub mod same;
pub mod sender;
mod shared_store;
pub mod start;
pub mod transport;

pub use answer::{Answer, Fault};
pub use any_store::{AnyStore, OF_THE_SERVER};
pub use client::Client;
pub use connection::{Events, listener};
pub use health::{CHALLENGE, is_ours, proof, sha256};
pub use sender::Sender;
pub use shared_store::{Connect, SharedStore};
pub use transport::Method;
