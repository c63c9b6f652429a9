//! `nudge proposals`

use nudge::Operation;

use super::flags::Params;
use super::later::Nothing;
use super::observations::cite;
use super::output::Exit;
use super::pretty_proposals;
use super::terminal::Terminal;

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Exit {
    let asked = terminal.choose(Operation::ListProposals, &Params::default(), None);
    terminal.out.asked(&asked, |page, waiting| {
        pretty_proposals::waiting(page, waiting, |page, hint| cite(page, hint, terminal, None))
    })
}
