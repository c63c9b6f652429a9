//! `nudge status`

use super::flags::Params;
use super::output::Exit;
use super::pretty_status;
use super::terminal::{Asked, Terminal};

pub(crate) fn run(terminal: &Terminal) -> Exit {
    let answer = terminal.call_running("nudge.status");
    let asked = Asked::about(&Params::default(), answer);
    terminal.out.asked(&asked, pretty_status::status)
}
