//! `nudge reject`

use clap::Args;
use nudge::Operation;
use serde_json::Value;

use super::accept::decide;
use super::flags::number;
use super::output::Exit;
use super::pretty_proposals;
use super::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct Reject {
    /// Proposals by their numbers, as `nudge proposals` lists them
    #[arg(value_name = "ID", required = true, value_parser = number, allow_negative_numbers = true)]
    ids: Vec<Value>,
}

impl Reject {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        decide(&self.ids, |params| {
            let asked = terminal.choose(Operation::Reject, params, None);
            terminal.out.asked(&asked, pretty_proposals::rejected)
        })
    }
}
