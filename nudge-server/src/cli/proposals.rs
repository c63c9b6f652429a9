//! `nudge proposals`

use nudge::Operation;

use super::flags::Params;
use super::output::Exit;
use super::pretty_proposals;
use super::terminal::{Asked, Terminal};

pub(crate) fn run(terminal: &Terminal) -> Exit {
    let answer = terminal.call(Operation::ListProposals, "{}");
    let asked = Asked::about(&Params::default(), answer);
    terminal.out.asked(&asked, pretty_proposals::waiting)
}
