//! The browser of whoever sits at this machine.

use std::ffi::OsString;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::platform::desktop::{BETWEEN_BROWSERS, DISPLAYS_ARE_NAMED, OPENER};
use crate::platform::group::apart;

/// How long a program that opens addresses is watched: one that cannot says so
/// at once, and one that can may run for as long as the browser does.
const WATCHED: Duration = Duration::from_millis(500);

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Opens an address, or says why not. No shell is involved, so that nothing in
/// `BROWSER` or in the address is more than a word.
pub(crate) fn open(address: &str) -> Result<(), &'static str> {
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
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return !status.success(),
            Ok(None) if start.elapsed() < WATCHED => sleep(LOOK_EVERY),
            Ok(None) | Err(_) => return false,
        }
    }
}
