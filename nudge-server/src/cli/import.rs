//! `nudge import`

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::Args;
use nudge::{Error, Operation};
use nudge_client::folder::file::read_named;
use serde_json::value::RawValue;

use super::flags::Params;
use super::output::Exit;
use super::pretty;
use super::progress::Progress;
use super::terminal::{Terminal, misuse, stdin};
use crate::wire::json_text::extended;
use crate::wire::{Answer, Fault};

/// The longest file: more is in no store, whatever its limits.
const LARGEST: u64 = 1 << 30;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge import hints.json --dry-run
  nudge export -o hints.json && nudge import hints.json
  nudge import --mode replace < hints.json")]
pub(crate) struct Import {
    /// What `nudge export` wrote; left out, or `-`, it is read from stdin
    file: Option<String>,
    /// merge (the newer hint wins) or replace; merge when left out
    #[arg(long)]
    mode: Option<String>,
    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
}

impl Import {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let progress = Progress::of(&terminal.out, "importing");
        let answer = self.send(terminal, &self.text()?);
        drop(progress);
        Ok(terminal.out.asked(&answer.into(), |page, imported| {
            pretty::imported(page, imported, self.dry_run)
        }))
    }

    fn text(&self) -> Result<String, Error> {
        match self.file.as_deref() {
            None if io::stdin().is_terminal() => {
                let words =
                    "the file is missing; type `nudge import FILE`, or `nudge import < FILE`";
                Err(misuse(words))
            }
            None | Some("-") => stdin(),
            Some(file) => read_named(Path::new(file), LARGEST)
                .map_err(|error| misuse(format!("`{file}` cannot be read: {error}"))),
        }
    }

    /// Sends the file's text as it is.
    fn send(&self, terminal: &Terminal, text: &str) -> Answer {
        let payload: &RawValue = serde_json::from_str(text).map_err(|error| {
            let words = "is not JSON; give what `nudge export` wrote";
            let file = self.file.as_deref().unwrap_or("-");
            misuse(format!("`{file}` {words} ({error})"))
        })?;
        let beside = Params::default()
            .with("mode", self.mode.as_deref())
            .with_switch("dry_run", self.dry_run);
        let params = extended(&beside.to_json(), "payload", payload.get());
        terminal.call(Operation::Import, &params)
    }
}
