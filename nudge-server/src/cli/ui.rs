//! `nudge ui`

use clap::Args;
use nudge::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::to_raw_value;

use super::browser;
use super::output::Exit;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;
use crate::wire::Fault;

#[derive(Debug, Args)]
pub(crate) struct Ui {
    /// Print the address and open nothing
    #[arg(long)]
    no_open: bool,
}

/// Where the page is, and whether it was opened.
#[derive(Deserialize)]
struct Shown {
    url: String,
}

impl Ui {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let answer = address(terminal).and_then(|url| {
            let opened = !self.no_open && is_opened(terminal, &url);
            let shown = to_raw_value(&json!({"url": url, "opened": opened}));
            shown.map_err(|error| Fault::Core(Error::new(ErrorKind::Internal, error.to_string())))
        });
        terminal.out.asked(&answer.into(), |page, shown: &Shown| {
            page.line(&shown.url);
            Exit::Done
        })
    }
}

/// The address of the page. The token is in it only where a browser could not be
/// known by its user.
fn address(terminal: &Terminal) -> Result<String, Fault> {
    #[derive(Deserialize)]
    struct Status {
        port: u16,
    }
    let status = terminal.call(ServerOperation::Status, "{}")?;
    let port = serde_json::from_str::<Status>(status.get()).map_or(0, |status| status.port);
    if port == 0 {
        let words = "the server has no port for a browser; end it with `nudge stop`, \
                     then start one with `nudge serve --port PORT`";
        return Err(Fault::Core(Error::new(ErrorKind::Unavailable, words)));
    }
    let address = format!("http://127.0.0.1:{port}/");
    if terminal.is_known_by_uid(port) {
        return Ok(address);
    }
    Ok(format!("{address}?token={}", terminal.token()?))
}

/// Opens the address, or says why the person has to.
fn is_opened(terminal: &Terminal, url: &str) -> bool {
    match browser::open(url) {
        Ok(()) => {
            terminal.out.note("opened in the browser");
            true
        }
        Err(why) => {
            let words = format!("no browser was opened, {why}; open the address yourself");
            terminal.out.note(&words);
            false
        }
    }
}
