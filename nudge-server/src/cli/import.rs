//! `nudge import`

use clap::Args;
use nudge::{Error, Operation};
use serde_json::value::RawValue;

use super::flags::Params;
use super::output::Exit;
use super::pretty;
use super::progress::Progress;
use super::terminal::{Terminal, misuse, stdin};
use crate::wire::json_text::extended;
use crate::wire::{Answer, Fault};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge import hints.json --dry-run
  nudge export -o hints.json && nudge import hints.json
  nudge import - --mode replace < hints.json")]
pub(crate) struct Import {
    /// What `nudge export` wrote; `-` reads stdin
    file: String,
    /// merge (the newer hint wins) or replace; merge when left out
    #[arg(long)]
    mode: Option<String>,
    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
}

impl Import {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let progress = Progress::of(&terminal.out, "importing");
        let text = self.text().map_err(Fault::from);
        let answer = text.and_then(|text| self.send(terminal, &text));
        drop(progress);
        terminal.out.asked(&answer.into(), |page, imported| {
            pretty::imported(page, imported, self.dry_run)
        })
    }

    fn text(&self) -> Result<String, Error> {
        if self.file == "-" {
            return stdin();
        }
        std::fs::read_to_string(&self.file)
            .map_err(|error| misuse(format!("`{}` cannot be read: {error}", self.file)))
    }

    /// Sends the file's text as it is.
    fn send(&self, terminal: &Terminal, text: &str) -> Answer {
        let payload: &RawValue = serde_json::from_str(text).map_err(|error| {
            let words = "is not JSON; give what `nudge export` wrote";
            misuse(format!("`{}` {words} ({error})", self.file))
        })?;
        let payload = payload.get();
        let params = extended(&self.params().to_json(), "payload", payload);
        terminal.call(Operation::Import, &params)
    }

    /// What is said beside the payload.
    fn params(&self) -> Params {
        Params::default()
            .with("mode", self.mode.as_deref())
            .with_switch("dry_run", self.dry_run)
    }
}
