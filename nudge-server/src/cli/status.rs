//! `nudge status`

use super::later::Nothing;
use super::output::Exit;
use super::pretty_status;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Exit {
    let asked = terminal.call_session(ServerOperation::Status, "{}").into();
    terminal.out.asked(&asked, pretty_status::status)
}
