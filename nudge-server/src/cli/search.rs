//! `nudge search`

use clap::Args;
use nudge::{Operation, Ranked};
use serde_json::{Value, json};

use super::failure::{error_of, exit};
use super::flags::{Params, number};
use super::observations::{Question, Seen};
use super::output::Exit;
use super::pretty::{count, ranked};
use super::terminal::{Terminal, read};
use crate::primary::operations::{Method, ServerOperation};
use crate::store::ObsType;
use crate::wire::Fault;
use crate::wire::escape::shown;

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

impl Search {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let words = self.words.join(" ");
        let (both, why_not) = match self.both(terminal, &words) {
            Ok(both) => both,
            Err(fault) => return terminal.out.print_word(Err(fault)),
        };
        let hints: Vec<Ranked> = serde_json::from_value(both["hints"].clone()).unwrap_or_default();
        let seen: Vec<Seen> =
            serde_json::from_value(both["observations"].clone()).unwrap_or_default();
        let results = hints.len() + seen.len();
        let exit = terminal.out.value(&both, |page| {
            ranked(page, &hints, self.is_anywhere(terminal));
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
            if results == 0 {
                Exit::Nothing
            } else {
                Exit::Done
            }
        });
        let results = count(results, "result");
        terminal
            .out
            .note(&format!("nudge: {results} for \"{}\"", shown(&words)));
        if let Some(fault) = why_not {
            terminal.out.note(&shown(&error_of(&fault).to_string()));
        }
        exit
    }

    /// Whether hints are found wherever they apply: the user's one view.
    fn is_anywhere(&self, terminal: &Terminal) -> bool {
        !self.here && self.question.context.given().is_none() && terminal.shell().is_none()
    }

    /// Hints and observations; where those are off, hints and why they are all there is.
    fn both(&self, terminal: &Terminal, words: &str) -> Result<(Value, Option<Fault>), Fault> {
        let has_hints = self.kind.is_none() && !self.question.ids;
        let limit = Params::default().with("limit", self.limit.clone());
        let text = limit.clone().with("text", Some(words));
        let text = text.with_switch("anywhere", self.is_anywhere(terminal));
        let mut both = json!({"hints": [], "observations": null});
        if has_hints {
            both["hints"] = self.list(terminal, Operation::Query, &text, "hints")?;
        }
        let query = limit.with("query", Some(words));
        let query = query.with("obs_type", self.kind.map(|kind| json!(kind)));
        let list = |method, params: &Params| self.list(terminal, method, params, "observations");
        both["observations"] = match list(ServerOperation::Search, &query) {
            Err(fault) if has_hints && exit(&error_of(&fault)) == Exit::Refused => {
                return Ok((both, Some(fault)));
            }
            found => found?,
        };
        if self.full {
            let found = both["observations"].as_array().into_iter().flatten();
            let ids: Vec<Value> = found.map(|one| one["id"].clone()).collect();
            let mut whole = Vec::new();
            for ids in ids.chunks(AT_ONCE) {
                let ids = Params::default().with("ids", Some(ids.to_vec()));
                let mut some = list(ServerOperation::GetObservations, &ids)?;
                whole.extend(some.as_array_mut().into_iter().flat_map(std::mem::take));
            }
            both["observations"] = whole.into();
        }
        Ok((both, None))
    }

    /// What a method lists.
    fn list(
        &self,
        terminal: &Terminal,
        method: impl Into<Method>,
        params: &Params,
        field: &str,
    ) -> Result<Value, Fault> {
        let given = self.question.context.given();
        let mut told: Value = read(&terminal.ask(method, params, given.as_ref()).answer?)?;
        Ok(told[field].take())
    }
}
