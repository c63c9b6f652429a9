//! `nudge stop`

use super::output::Exit;
use super::pretty;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

pub(crate) fn run(terminal: &Terminal) -> Exit {
    let asked = terminal.call_running(ServerOperation::Stop).into();
    terminal.out.asked(&asked, pretty::stopped)
}
