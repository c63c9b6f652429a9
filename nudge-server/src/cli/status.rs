//! `nudge status`

use super::flags::Params;
use super::output::Exit;
use super::pretty_status;
use super::terminal::{Asked, Terminal};
use crate::primary::operations::ServerOperation;

pub(crate) fn run(terminal: &Terminal) -> Exit {
    let answer = terminal.call_running(ServerOperation::Status);
    let asked = Asked::about(&Params::default(), answer);
    terminal.out.asked(&asked, pretty_status::status)
}
