//! MCP over stdio as a client of the PRIMARY: its calls, the changes it hears of, and where
//! its agent is. What it shares with the CLI and hooks is in `nudge-client`.

pub mod changes;
pub mod infer;
pub mod session;
pub mod stdio;
mod task;
