//! `nudge accept` and `nudge reject`

use clap::Args;
use nudge::{Operation, Proposals};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::flags::{Params, number};
use super::output::{Exit, Page, misused};
use super::pretty_proposals::{accepted, rejected};
use super::terminal::{Terminal, read};

#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// Proposals by their numbers, as `nudge proposals` lists them; the one that waits when left out
    #[arg(value_name = "ID", value_parser = number, allow_negative_numbers = true)]
    ids: Vec<Value>,
    /// All that wait
    #[arg(short, long, conflicts_with = "ids")]
    all: bool,
}

impl Decide {
    pub(crate) fn accept(&self, terminal: &Terminal) -> Exit {
        self.each(terminal, Operation::Accept, accepted)
    }

    pub(crate) fn reject(&self, terminal: &Terminal) -> Exit {
        self.each(terminal, Operation::Reject, rejected)
    }

    /// Does the same with each of some proposals, and ends as the first that was not done.
    fn each<T: DeserializeOwned>(
        &self,
        terminal: &Terminal,
        operation: Operation,
        pretty: fn(&mut Page, &T) -> Exit,
    ) -> Exit {
        let mut exit = Exit::Done;
        let ids = match self.meant(terminal) {
            Ok(ids) => ids,
            Err(exit) => return exit,
        };
        for id in &ids {
            let params = Params::default().with("id", Some(id.clone()));
            let asked = terminal.choose(operation, &params, None);
            let ended = terminal.out.asked(&asked, pretty);
            if exit == Exit::Done {
                exit = ended;
            }
        }
        exit
    }

    /// The numbers that are meant: all, or the only one, where none is named.
    fn meant(&self, terminal: &Terminal) -> Result<Vec<Value>, Exit> {
        let is_all = self.all || self.ids[..] == ["all"];
        if !self.ids.is_empty() && !is_all {
            return Ok(self.ids.clone());
        }
        let asked = terminal.choose(Operation::ListProposals, &Params::default(), None);
        let waiting = asked.answer.as_ref().ok();
        let Some(waiting) = waiting.and_then(|it| read::<Proposals>(it).ok()) else {
            return Err(terminal.out.asked(&asked, |_, _: &Value| Exit::Refused));
        };
        let ids: Vec<Value> = waiting.proposals.iter().map(|one| one.id.into()).collect();
        match ids.len() {
            0 => Err(nothing(terminal)),
            count if count > 1 && !is_all => {
                let words = format!(
                    "{count} proposals wait; name one, as `nudge proposals` lists them, or type `--all`"
                );
                Err(misused(&words))
            }
            _ => Ok(ids),
        }
    }
}

fn nothing(terminal: &Terminal) -> Exit {
    terminal.out.note("no proposals are waiting");
    Exit::Nothing
}
