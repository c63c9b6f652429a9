//! `nudge token`

use nudge_client::client::no_server;

use super::later::Nothing;
use super::output::{Exit, written_out};
use super::terminal::Terminal;
use crate::wire::Fault;

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    terminal.client()?;
    let token = terminal.runtime()?.token().ok_or_else(no_server)?;
    Ok(written_out(&format!("{token}\n")))
}
