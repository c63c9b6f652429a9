//! `nudge stop`

use std::io::{self, IsTerminal};

use clap::Args;
use serde_json::Value;

use super::host_flags::is_agreed;
use super::output::Exit;
use super::pretty::{count, stopped};
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// Do not ask first, also on a terminal
    #[arg(long)]
    yes: bool,
}

impl Stop {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let stdin = io::stdin();
        let is_asked = !self.yes && !terminal.out.is_json() && stdin.is_terminal();
        if is_asked && let Some(hints) = held(terminal) {
            let question = format!("end the session, and {} with it", count(hints, "hint"));
            if !is_agreed(&question, stdin.lock(), io::stderr()) {
                return Exit::Nothing;
            }
        }
        let asked = terminal.call_running(ServerOperation::Stop).into();
        terminal.out.asked(&asked, stopped)
    }
}

/// How many hints would be gone; `None` where there are none, or no server.
fn held(terminal: &Terminal) -> Option<usize> {
    let status = terminal.call_running(ServerOperation::Status).ok()?;
    let status: Value = serde_json::from_str(status.get()).ok()?;
    let hints = status.pointer("/stats/hints")?.as_u64()?;
    usize::try_from(hints).ok().filter(|hints| *hints > 0)
}
