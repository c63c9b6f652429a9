//! What nearly every command works with.

pub(super) use clap::Args;
pub(super) use nudge::{Error, Operation};
pub(super) use serde_json::{Value, json};

pub(super) use super::flags::{Params, number};
pub(super) use super::output::{Exit, Page};
pub(super) use super::place_flags::ContextFlags;
pub(super) use super::pretty::{self, count};
pub(super) use super::terminal::{Terminal, misuse, read};
pub(super) use crate::primary::operations::ServerOperation;
pub(super) use crate::wire::Fault;
pub(super) use crate::wire::escape::shown;
