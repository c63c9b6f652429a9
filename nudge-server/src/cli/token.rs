//! `nudge token`

use super::output::Exit;
use super::terminal::Terminal;

pub(crate) fn run(terminal: &Terminal) -> Exit {
    terminal.out.print_word(terminal.token())
}
