//! The hosts that Nudge installs itself into: coding agents with a config file
//! that lists MCP servers.
//!
//! `table.rs` says what each host is; everything else is the same for all of
//! them. A change of a config is a list of edits (`format.rs`), so that one
//! write may touch several places of a file.

pub(crate) mod add;
pub(crate) mod backup;
pub(crate) mod config_file;
pub(crate) mod entry;
pub(crate) mod format;
pub(crate) mod hooks;
mod link;
pub(crate) mod machine;
pub mod package;
pub(crate) mod program;
pub(crate) mod remove;
pub(crate) mod report;
pub(crate) mod table;
