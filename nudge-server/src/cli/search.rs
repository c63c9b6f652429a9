//! `nudge search`

use clap::Args;
use nudge::{Operation, Ranked};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::context_flags::ContextFlags;
use super::escape::shown;
use super::failure::Failure;
use super::flags::{Params, number};
use super::output::Exit;
use super::pretty::{count, ranked};
use super::pretty_observations::{Seen, ids};
use super::terminal::{Asked, Terminal, read};
use crate::observe::requests::ObsType;
use crate::primary::operations::ServerOperation;
use crate::wire::Fault;

/// How many observations are asked for by their numbers at once.
const AT_ONCE: usize = 50;

#[derive(Debug, Args)]
#[command(
    after_help = "Of observations, `OR`, `NOT`, \"a phrase\" and prefix* are understood.

Examples:
  nudge search token expired
  nudge search --type command_error openssl --full
  nudge search staging --ids | xargs -r nudge purge --yes --id"
)]
pub(crate) struct Search {
    /// What to search for; a hint has all of the words
    #[arg(required = true)]
    words: Vec<String>,
    /// Only observations of this kind, such as `command_error` or `file_edit`
    #[arg(long = "type", value_name = "KIND", hide_possible_values = true)]
    kind: Option<ObsType>,
    /// The most hints and the most observations, up to 100; 10 and 20 when left out
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    /// Show observations as a whole, with what a failed command printed
    #[arg(long)]
    full: bool,
    /// Print the numbers of observations alone
    #[arg(long)]
    ids: bool,
    #[command(flatten)]
    context: ContextFlags,
}

/// What a program reads.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Answers {
    hints: Vec<Box<RawValue>>,
    /// Absent where there is nothing to be searched.
    observations: Option<Vec<Box<RawValue>>>,
}

impl Answers {
    fn to_json(&self) -> Box<RawValue> {
        to_raw_value(self).unwrap_or_default()
    }
}

/// The same, as far as it is printed.
#[derive(Deserialize)]
struct Found {
    hints: Vec<Ranked>,
    observations: Option<Vec<Seen>>,
}

impl Search {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let words = self.words.join(" ");
        let mut asked = self.hints(terminal, &words);
        let mut why_not = None;
        let both = asked.answer.and_then(|hints| {
            let mut both: Answers = read(&hints)?;
            match self.observations(terminal, &words) {
                Ok(observations) => both.observations = Some(observations),
                // Where they are off, hints are all there is.
                Err(fault) if self.has_hints() && Failure::of(&fault).exit() == Exit::Refused => {
                    why_not = Some(fault);
                }
                Err(fault) => return Err(fault),
            }
            Ok(both.to_json())
        });
        asked.answer = both;
        let mut counted = None;
        let exit = terminal.out.asked(&asked, |page, found: &Found| {
            let seen = || found.observations.iter().flatten();
            counted = Some(found.hints.len() + seen().count());
            if self.ids {
                return ids(page, seen());
            }
            ranked(page, &found.hints);
            for seen in seen() {
                seen.write(page, true);
                if self.full {
                    seen.write_rest(page);
                }
            }
            if counted == Some(0) {
                Exit::Nothing
            } else {
                Exit::Done
            }
        });
        if let Some(counted) = counted {
            let results = count(counted, "result");
            terminal
                .out
                .note(&format!("nudge: {results} for \"{}\"", shown(&words)));
        }
        if let Some(fault) = why_not {
            terminal.out.note(&shown(Failure::of(&fault).message()));
        }
        exit
    }

    /// Whether hints are searched, too.
    fn has_hints(&self) -> bool {
        self.kind.is_none() && !self.ids
    }

    fn hints(&self, terminal: &Terminal, words: &str) -> Asked {
        if !self.has_hints() {
            return Ok(Answers::default().to_json()).into();
        }
        let params = Params::default()
            .with("text", Some(words))
            .with("limit", self.limit.clone());
        terminal.ask(Operation::Query, &params, self.context.given().as_ref())
    }

    fn observations(&self, terminal: &Terminal, words: &str) -> Result<Vec<Box<RawValue>>, Fault> {
        let given = self.context.given();
        let ask = |method, params: Params| -> Result<Vec<Box<RawValue>>, Fault> {
            let found: Answers = read(&terminal.ask(method, &params, given.as_ref()).answer?)?;
            Ok(found.observations.unwrap_or_default())
        };
        let params = Params::default()
            .with("query", Some(words))
            .with(
                "obs_type",
                self.kind.and_then(|kind| serde_json::to_value(kind).ok()),
            )
            .with("limit", self.limit.clone());
        let found = ask(ServerOperation::Search, params)?;
        if !self.full {
            return Ok(found);
        }
        let ids = found
            .iter()
            .filter_map(|it| Some(serde_json::from_str::<Seen>(it.get()).ok()?.id));
        let ids: Vec<i64> = ids.collect();
        let mut whole = Vec::new();
        for ids in ids.chunks(AT_ONCE) {
            let params = Params::default().with("ids", Some(ids.to_vec()));
            whole.extend(ask(ServerOperation::GetObservations, params)?);
        }
        Ok(whole)
    }
}
