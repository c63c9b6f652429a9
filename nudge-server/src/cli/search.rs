//! `nudge search`

use nudge::{Found, Ranked};
use serde::{Deserialize, Serialize};

use super::failure::exit;
use super::observations::{Question, Seen};
use super::prelude::*;
use super::pretty::ranked;
use crate::store::ObsType;

/// How many observations are asked for by their numbers at once.
const AT_ONCE: usize = 50;

#[derive(Debug, Args)]
#[command(
    after_help = "Of observations any word counts, rare ones first; `OR`, `NOT`, \"a phrase\" and prefix* are
understood.

Examples:
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
    #[arg(short = 'n', long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    /// Show observations as a whole, with what a failed command printed
    #[arg(long)]
    full: bool,
    /// Only hints that apply here
    #[arg(long)]
    here: bool,
    #[command(flatten)]
    question: Question,
}

/// What was found: hints, and observations where those are recorded.
#[derive(Serialize)]
struct Both {
    hints: Vec<Ranked>,
    observations: Option<Vec<Value>>,
}

impl Search {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let words = self.words.join(" ");
        let (both, why_not) = self.both(terminal, &words)?;
        let seen = both.observations.iter().flatten();
        let seen: Vec<Seen> = seen.filter_map(|one| Seen::deserialize(one).ok()).collect();
        let results = both.hints.len() + seen.len();
        let exit = terminal.out.value(&json!(both), |page| {
            ranked(page, &both.hints, self.is_anywhere(terminal));
            for seen in &seen {
                if self.question.ids {
                    page.line(&seen.id.to_string());
                    continue;
                }
                seen.write(page, true);
                if self.full {
                    seen.write_rest(page);
                } else {
                    seen.write_hit(page);
                }
            }
            Exit::found(results > 0)
        });
        let results = count(results, "result");
        terminal
            .out
            .note(&format!("nudge: {results} for \"{}\"", shown(&words)));
        if let Some(fault) = why_not {
            terminal.out.note(&shown(&Error::from(&fault).to_string()));
        }
        Ok(exit)
    }

    /// Whether hints are found wherever they apply: the user's one view.
    fn is_anywhere(&self, terminal: &Terminal) -> bool {
        !self.here && self.question.context.given().is_none() && terminal.shell().is_none()
    }

    /// Hints and observations; where those are off, hints and why they are all there is.
    fn both(&self, terminal: &Terminal, words: &str) -> Result<(Both, Option<Fault>), Fault> {
        let has_hints = self.kind.is_none() && !self.question.ids;
        let limit = Params::default().with("limit", self.limit.clone());
        let given = || self.question.context.given();
        let mut both = Both {
            hints: Vec::new(),
            observations: None,
        };
        if has_hints {
            let text = limit.clone().with("text", Some(words));
            let text = text.with_switch("anywhere", self.is_anywhere(terminal));
            let found: Found = terminal.get(Operation::Query, &text, given())?;
            both.hints = found.hints;
        }
        let query = limit.with("query", Some(words));
        let query = query.with("obs_type", self.kind.map(|kind| json!(kind)));
        let list = |method, params: &Params| {
            let mut told: Value = terminal.get(method, params, given())?;
            Ok(Vec::deserialize(told["observations"].take()).unwrap_or_default())
        };
        let mut found: Vec<Value> = match list(ServerOperation::Search, &query) {
            Err(fault) if has_hints && exit(&Error::from(&fault)) == Exit::Refused => {
                return Ok((both, Some(fault)));
            }
            found => found?,
        };
        if self.full {
            let ids: Vec<Value> = found.iter().map(|one| one["id"].clone()).collect();
            found.clear();
            for ids in ids.chunks(AT_ONCE) {
                let ids = Params::default().with("ids", Some(ids.to_vec()));
                found.extend(list(ServerOperation::GetObservations, &ids)?);
            }
        }
        both.observations = Some(found);
        Ok((both, None))
    }
}
