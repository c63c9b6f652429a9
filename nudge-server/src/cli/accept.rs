//! `nudge accept` and `nudge reject`

use clap::Args;
use nudge::Operation;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::flags::{Params, number};
use super::output::{Exit, Page};
use super::pretty_proposals::{accepted, rejected};
use super::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// Proposals by their numbers, as `nudge proposals` lists them
    #[arg(value_name = "ID", required = true, value_parser = number, allow_negative_numbers = true)]
    ids: Vec<Value>,
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
        for id in &self.ids {
            let params = Params::default().with("id", Some(id.clone()));
            let asked = terminal.choose(operation, &params, None);
            let ended = terminal.out.asked(&asked, pretty);
            if exit == Exit::Done {
                exit = ended;
            }
        }
        exit
    }
}
