//! `nudge accept`

use clap::Args;
use nudge::Operation;
use serde_json::Value;

use super::flags::{Params, number};
use super::output::Exit;
use super::pretty_proposals;
use super::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct Accept {
    /// Proposals by their numbers, as `nudge proposals` lists them
    #[arg(value_name = "ID", required = true, value_parser = number, allow_negative_numbers = true)]
    ids: Vec<Value>,
}

impl Accept {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        decide(&self.ids, |params| {
            let asked = terminal.choose(Operation::Accept, params, None);
            terminal.out.asked(&asked, pretty_proposals::accepted)
        })
    }
}

/// Does the same with each of some proposals, and ends as the first that was not done.
pub(crate) fn decide(ids: &[Value], each: impl Fn(&Params) -> Exit) -> Exit {
    let mut exit = Exit::Done;
    for id in ids {
        let ended = each(&Params::default().with("id", Some(id.clone())));
        if exit == Exit::Done {
            exit = ended;
        }
    }
    exit
}
