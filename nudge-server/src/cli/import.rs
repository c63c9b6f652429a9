//! `nudge import`

use clap::Args;
use nudge::{Error, ErrorKind, Operation};
use serde_json::value::RawValue;

use super::failure::Failure;
use super::flags::Params;
use super::output::Exit;
use super::pretty;
use super::progress::Progress;
use super::terminal::{Terminal, misuse, stdin};
use crate::platform::random::nonce;
use crate::primary::operations::ServerOperation;
use crate::wire::json_text::extended;
use crate::wire::{Answer, Fault};

/// The longest payload that is sent at once: a server takes requests of twice that.
const AT_ONCE: usize = 4 * 1024 * 1024;

/// The longest piece of one; quoting makes it twice as long at most.
const PIECE: usize = 2 * 1024 * 1024;

/// How often a payload is sent in pieces.
const TRIES: usize = 3;

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
        let answer = text.and_then(|text| self.send(terminal, &text, &progress));
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

    /// Sends the file's text as it is, in one call or in pieces.
    fn send(&self, terminal: &Terminal, text: &str, progress: &Progress) -> Answer {
        let payload: &RawValue = serde_json::from_str(text).map_err(|error| {
            let words = "is not JSON; give what `nudge export` wrote";
            misuse(format!("`{}` {words} ({error})", self.file))
        })?;
        let payload = payload.get();
        if payload.len() <= AT_ONCE {
            let params = extended(&self.params().to_json(), "payload", payload);
            return terminal.call(Operation::Import, &params);
        }
        for _ in 0..TRIES {
            match self.send_in_pieces(terminal, payload, progress) {
                // A server that has died meanwhile took the pieces with it.
                Err(fault) if Failure::of(&fault).exit() == Exit::Nothing => {}
                answer => return answer,
            }
        }
        let words = "the server went away while the payload was sent; try again";
        Err(Error::new(ErrorKind::Unavailable, words).into())
    }

    fn send_in_pieces(&self, terminal: &Terminal, payload: &str, progress: &Progress) -> Answer {
        let upload = nonce();
        let mut rest = payload;
        while !rest.is_empty() {
            let percent = 100 - rest.len() * 100 / payload.len();
            progress.at(format!("importing: {percent} % sent"));
            let (piece, more) = rest.split_at(rest.floor_char_boundary(PIECE));
            let params = Params::default()
                .with("upload", Some(&*upload))
                .with("offset", Some(payload.len() - rest.len()))
                .with("text", Some(piece));
            terminal.call(ServerOperation::Stage, &params.to_json())?;
            rest = more;
        }
        let params = self.params().with("upload", Some(upload));
        terminal.call(ServerOperation::ImportStaged, &params.to_json())
    }

    /// What is said beside the payload.
    fn params(&self) -> Params {
        Params::default()
            .with("mode", self.mode.as_deref())
            .with_switch("dry_run", self.dry_run)
    }
}
