//! `nudge restore`

use super::later::Nothing;
use super::output::Exit;
use super::pretty;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Exit {
    let answer = terminal.call(ServerOperation::Restore, "{}");
    terminal.out.asked(&answer.into(), |page, imported| {
        pretty::imported(page, imported, false)
    })
}
