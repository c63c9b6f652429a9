//! `nudge ui`, and the browser of whoever sits at this machine.

use std::ffi::OsString;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::prelude::*;
use super::terminal::here;
use crate::deadline::within;
use crate::platform::desktop::{BETWEEN_BROWSERS, DISPLAYS_ARE_NAMED, IS_WINDOWS, OPENER};
use crate::platform::group::apart;
use crate::primary::PageAddress;
use crate::wire::escape::percent_encoded;

/// What a browser is opened with. It is not kept in the history, and who has no script
/// follows the link.
const HAND_OVER: &str = r#"<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Nudge</title>
<script>location.replace("PAGE")</script>
<p><a href="PAGE">Open the page</a></p>
"#;

/// How long a program that opens addresses is watched: one that cannot says so
/// at once, and one that can may run for as long as the browser does.
const WATCHED: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(crate) struct Ui {
    /// Print the address of the file to open, and open nothing
    #[arg(long)]
    no_open: bool,
}

impl Ui {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let url = address(terminal)?;
        let opened = (!self.no_open).then(|| open(&url));
        match opened {
            Some(Ok(())) => terminal.out.note("opened in the browser"),
            Some(Err(why)) => {
                let words = format!("no browser was opened, {why}; open this file in one");
                terminal.out.note(&words);
            }
            None => {}
        }
        let opened = opened.is_some_and(|opened| opened.is_ok());
        let shown = json!({"url": url, "opened": opened});
        Ok(terminal.out.value(&shown, |page| {
            page.line(&url);
            Exit::Done
        }))
    }
}

/// The address of a file that leads a browser to the page and hands it the key, and where the
/// user is. In an argument of the browser everybody on the machine could read the key.
fn address(terminal: &Terminal) -> Result<String, Fault> {
    let find = ServerOperation::FindPage;
    let PageAddress { port, key } = terminal.get(find, &Params::default(), None)?;
    let place = serde_json::to_vec(&here()?).unwrap_or_default();
    let place = percent_encoded(&place, "/");
    let page = format!("http://127.0.0.1:{port}/#key={key}&place={place}");
    let runtime = terminal.runtime()?;
    let path = runtime.write_page(&HAND_OVER.replace("PAGE", &page))?;
    let mut path = path.into_os_string();
    if IS_WINDOWS {
        path = format!("/{}", path.display()).replace('\\', "/").into();
    }
    // A colon after a drive stays.
    let plain = if IS_WINDOWS { "/:" } else { "/" };
    let path = percent_encoded(path.as_encoded_bytes(), plain);
    Ok(format!("file://{path}"))
}

/// Opens an address, or says why not. No shell is involved, so that nothing in
/// `BROWSER` or in the address is more than a word.
fn open(address: &str) -> Result<(), &'static str> {
    if let Some(browsers) = set("BROWSER") {
        let browsers = browsers.to_string_lossy();
        // Several may be named, the next for when one does not work.
        let mut browsers = browsers.split(BETWEEN_BROWSERS);
        let is_opened = browsers.any(|browser| is_started(browser_command(browser, address)));
        return is_opened
            .then_some(())
            .ok_or("because what `BROWSER` names did not start");
    }
    if set("SSH_CONNECTION").or(set("SSH_TTY")).is_some() {
        return Err("because you are here over SSH");
    }
    let has_display = set("DISPLAY").or(set("WAYLAND_DISPLAY")).is_some();
    if DISPLAYS_ARE_NAMED && !has_display {
        return Err("because there is no display here");
    }
    let mut words = OPENER.iter().map(OsString::from).collect::<Vec<_>>();
    words.push(address.into());
    is_started(words)
        .then_some(())
        .ok_or("because no program here opens addresses (`xdg-open` does)")
}

/// A variable that is set, and not to nothing.
fn set(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The words of a browser's command, with the address where it wants it.
fn browser_command(browser: &str, address: &str) -> Vec<OsString> {
    let wants_it = browser.contains("%s");
    let words = browser.split_ascii_whitespace();
    let words = words.map(|word| word.replace("%s", address));
    let last = (!wants_it).then(|| address.to_owned());
    words.chain(last).map(OsString::from).collect()
}

/// Starts a program by itself, away from this terminal, and sees whether it fails.
fn is_started(words: Vec<OsString>) -> bool {
    let mut words = words.into_iter();
    let Some(program) = words.next() else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    apart(&mut command).spawn().is_ok_and(|child| !fails(child))
}

fn fails(mut child: Child) -> bool {
    let ended = within(WATCHED, move || child.wait());
    matches!(ended, Some(Ok(status)) if !status.success())
}
