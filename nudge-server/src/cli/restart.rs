//! `nudge restart`

use std::io::{self, IsTerminal};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::prelude::*;
use super::question::is_agreed;
use super::status::Status;
use crate::config::Flags;
use crate::wire::Answer;

/// How long the old server may take to make way.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  nudge restart                       after an upgrade, or a change of config.toml
  nudge restart --max-hints 100000")]
pub(crate) struct Restart {
    /// Do not ask first, although secrets would be lost
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    pub(super) flags: Flags,
}

impl Restart {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let answer = self.restarted(terminal)?;
        Ok(terminal
            .out
            .asked(&Ok(answer).into(), |page, status: &Status| {
                let Status { version, pid, .. } = status;
                let words = format!("nudge {version} serves the session, process {pid}");
                page.done(&words);
                Exit::Done
            }))
    }

    /// What the server says of itself that has come in the place of the old one.
    fn restarted(&self, terminal: &Terminal) -> Answer {
        let old = match terminal.call(ServerOperation::Status, "{}") {
            Ok(status) => read::<Status>(&status).ok(),
            // One that speaks another protocol says nothing, but makes way.
            Err(Fault::Passed(_)) => None,
            Err(fault) => return Err(fault),
        };
        if old.as_ref().is_some_and(|old| old.holds_secrets) && !self.yes {
            let question = "restart, and lose the hints that are marked as secret";
            if !io::stdin().is_terminal() || !is_agreed(question) {
                let words = "hints that are marked as secret are in no file and would be lost; \
                             `nudge restart --yes` restarts all the same";
                return Err(misuse(words).into());
            }
        }
        let params = json!({ "settings": terminal.settings.session }).to_string();
        terminal.call(ServerOperation::Restart, &params)?;
        let start = Instant::now();
        loop {
            let answer = terminal.call(ServerOperation::Status, "{}")?;
            let new: Status = read(&answer)?;
            let is_new = old.as_ref().is_none_or(|old| old.pid != new.pid);
            if is_new || start.elapsed() > PATIENCE {
                return Ok(answer);
            }
            sleep(Duration::from_millis(5));
        }
    }
}
