//! `nudge stop`

use super::flags::Params;
use super::output::Exit;
use super::pretty;
use super::terminal::{Asked, Terminal};

pub(crate) fn run(terminal: &Terminal) -> Exit {
    let answer = terminal.call_running("nudge.stop");
    let asked = Asked::about(&Params::default(), answer);
    terminal.out.asked(&asked, pretty::stopped)
}
