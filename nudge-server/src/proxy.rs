//! One client of the store: how it finds the process that owns it, starts it,
//! and calls it again when that changes. MCP over stdio, the CLI and hooks use it.

pub mod changes;
pub mod infer;
pub mod session;
pub mod stdio;
mod task;
