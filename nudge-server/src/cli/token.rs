//! `nudge token`

use super::later::Nothing;
use super::output::Exit;
use super::terminal::Terminal;

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Exit {
    terminal.out.print_word(terminal.token())
}
