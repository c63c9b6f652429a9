//! `nudge proposals`

use nudge::Operation;

use super::flags::Params;
use super::output::Exit;
use super::pretty_proposals;
use super::terminal::Terminal;

pub(crate) fn run(terminal: &Terminal) -> Exit {
    let asked = terminal.choose(Operation::ListProposals, &Params::default(), None);
    terminal.out.asked(&asked, pretty_proposals::waiting)
}
