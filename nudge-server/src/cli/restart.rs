//! `nudge restart`

use std::io::{self, IsTerminal};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use super::output::Exit;
use super::question::is_agreed;
use super::terminal::{Terminal, misuse};
use crate::config::Flags;
use crate::primary::operations::ServerOperation;
use crate::wire::{Answer, Fault};

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
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let answer = self.restarted(terminal);
        terminal.out.asked(&answer.into(), |page, status: &Value| {
            let version = status["version"].as_str().unwrap_or("?");
            page.marked(
                "✔",
                &format!(
                    "nudge {version} serves the session, process {}",
                    status["pid"]
                ),
            );
            Exit::Done
        })
    }

    /// What the server says of itself that has come in the place of the old one.
    fn restarted(&self, terminal: &Terminal) -> Answer {
        let old: Value = match terminal.call(ServerOperation::Status, "{}") {
            Ok(status) => serde_json::from_str(status.get()).unwrap_or_default(),
            // One that speaks another protocol says nothing, but makes way.
            Err(Fault::Passed(_)) => Value::Null,
            Err(fault) => return Err(fault),
        };
        if old["holds_secrets"] == true && !self.yes {
            let question = "restart, and lose the hints that are marked as secret";
            let stdin = io::stdin();
            if !stdin.is_terminal() || !is_agreed(question, stdin.lock(), io::stderr()) {
                let words = "hints that are marked as secret are in no file and would be lost; \
                             `nudge restart --yes` restarts all the same";
                return Err(misuse(words.to_owned()).into());
            }
        }
        let params = json!({ "settings": terminal.session_settings() }).to_string();
        terminal.call(ServerOperation::Restart, &params)?;
        let start = Instant::now();
        loop {
            let answer = terminal.call(ServerOperation::Status, "{}")?;
            let new: Value = serde_json::from_str(answer.get()).unwrap_or_default();
            if new["pid"] != old["pid"] || start.elapsed() > PATIENCE {
                return Ok(answer);
            }
            sleep(Duration::from_millis(5));
        }
    }
}
