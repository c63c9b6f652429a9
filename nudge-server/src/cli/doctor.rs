//! `nudge doctor`: looks at what can break, changes nothing, and says what to do. What is
//! merely good to know is `nudge status`.

mod hooks;
mod hosts;
pub(super) mod quiet;
mod server;
mod store;
mod trust;

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use nudge_client::folder::Runtime;
use nudge_client::is_ours;
use serde::Serialize;

use super::output::{Exit, Output};
use super::shell::SHELL;
use crate::config::{Flags, GUARD_IS_OFF, Refused, Settings, UserFile};
use crate::deadline::{Ran, run as run_until, within};
use crate::install::machine::Machine;
use crate::install::program;
use crate::install::table::Host;
use crate::sync;
use crate::wire::escape::shown;
use crate::wire::identity::{PRODUCT, VERSION};

#[derive(Debug, Args)]
#[command(after_help = "✔ is fine, ! may surprise you, ✘ does not work.
Nothing is changed, and no server is started.
Exit status: 0 when there is no ✘, else 2.")]
pub(crate) struct Doctor {}

/// How long anything may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The most that is read of what a program prints.
const MOST_SAID: u64 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// As it should be.
    Good,
    /// Nudge works, but somebody may be surprised.
    Odd,
    /// Something does not work until it is mended.
    Bad,
}

/// One thing, and how it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Finding {
    /// What was looked at: binary, server, store, sync, port, hosts, hooks or trust.
    about: &'static str,
    state: State,
    /// The same in words, without a full stop.
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Finding {
    fn new(about: &'static str, state: State, words: impl Into<String>) -> Finding {
        let (words, fix) = (words.into(), None);
        Finding {
            about,
            state,
            words,
            fix,
        }
    }

    fn good(about: &'static str, words: impl Into<String>) -> Finding {
        Finding::new(about, State::Good, words)
    }

    fn odd(about: &'static str, words: impl Into<String>) -> Finding {
        Finding::new(about, State::Odd, words)
    }

    fn bad(about: &'static str, words: impl Into<String>) -> Finding {
        Finding::new(about, State::Bad, words)
    }

    /// The same of a host.
    fn of(self, host: &Host) -> Finding {
        let words = format!("{}: {}", host.name, self.words);
        Finding { words, ..self }
    }

    fn fixed_by(mut self, command: impl Into<String>) -> Finding {
        self.fix = Some(command.into());
        self
    }
}

/// Looks, prints what was found, and ends as bad as the worst of it.
pub(crate) fn run(port: Option<u16>, out: &Output) -> Exit {
    let findings = look(port);
    let is_bad = findings.iter().any(|found| found.state == State::Bad);
    let exit = if is_bad { Exit::Refused } else { Exit::Done };
    let json = serde_json::json!({"findings": findings});
    out.value(&json, |page| {
        for finding in &findings {
            let line = format!("{}: {}", finding.about, shown(&finding.words));
            match finding.state {
                State::Good => page.done(&line),
                State::Odd => page.warned("!", &line),
                State::Bad => page.alarmed("✘", &line),
            }
            if let Some(fix) = &finding.fix {
                page.line(&format!("  type: {}", shown(fix)));
            }
        }
        exit
    })
}

fn look(port: Option<u16>) -> Vec<Finding> {
    let variable = |name: &str| std::env::var_os(name);
    let (settings, refused) = Settings::read_each(&Flags::default(), variable, &UserFile::read());
    let mut found = vec![look_at_binary(std::env::current_exe(), variable("PATH"))];
    // No command goes on with a setting that means nothing, so no server does.
    found.extend(refused.iter().map(|refused| {
        let finding = Finding::bad("server", &refused.words);
        match refused.variable {
            Some(name) => finding.fixed_by(SHELL.unset(name)),
            None => finding.fixed_by("nudge config"),
        }
    }));
    // Where the variable says nothing, no folder is meant.
    let is_folder = |refused: &Refused| refused.variable == Some("NUDGE_RUNTIME_DIR");
    if !refused.iter().any(is_folder) {
        found.extend(session(port, &settings));
    }
    // Without a home there are no hosts to look at.
    if let Ok(machine) = Machine::here() {
        found.extend(hosts::look(&machine));
        found.extend(hooks::look(&machine));
        found.extend(trust::look(&machine));
    }
    found
}

/// What there is of a session: its server, its folder and its port.
fn session(port: Option<u16>, settings: &Settings) -> Vec<Finding> {
    let (runtime, folder) = store::look(settings.runtime_dir.as_deref());
    let (status, server) = server::look(runtime.as_ref(), settings.autostart);
    let mut found = vec![server];
    let running = status.as_ref().and_then(|status| status.settings.clone());
    let session = running.unwrap_or_else(|| settings.session_of_file_tightened());
    if !session.secret_guard {
        found.push(Finding::odd("server", GUARD_IS_OFF).fixed_by("nudge config"));
    }
    found.extend(folder);
    found.extend(store::old());
    let synced = runtime
        .as_ref()
        .and_then(|runtime| sync::State::load(runtime.folder()).status());
    found.extend(synced.map(|synced| match synced.describe() {
        (words, true) => Finding::good("sync", words),
        (words, false) => Finding::bad("sync", words).fixed_by("nudge sync"),
    }));
    let identity = runtime.as_ref().and_then(Runtime::identity);
    let nonce = identity.map(|identity| identity.nonce);
    let at = port.or_else(|| status.map(|status| status.port));
    found.extend(at.map(|at| look_at_port(at, nonce, port.is_some())));
    found
}

/// Looks at the port of the server, or at the one that was asked for. It is the server's if
/// it knows the nonce, which only the PID file tells.
fn look_at_port(port: u16, nonce: Option<String>, asked_for: bool) -> Finding {
    if port == 0 {
        let words = "no free port; serving on the socket only";
        return Finding::odd("port", words).fixed_by("nudge restart");
    }
    let words = match within(PATIENCE, move || is_ours(port, nonce.as_deref())) {
        Some(Ok(())) => {
            let words = format!("http://127.0.0.1:{port} answers as this session");
            return Finding::good("port", words);
        }
        Some(Err(error)) if error.kind() == ErrorKind::ConnectionRefused => {
            format!("nobody answers on port {port} ({error})")
        }
        Some(Err(error)) if error.kind() != ErrorKind::WouldBlock => {
            format!("port {port} is not this session's ({error})")
        }
        _ => format!("port {port} accepts connections but does not respond"),
    };
    // A server that is started again finds a port that is free.
    let fix = ["nudge restart", "nudge status"][usize::from(asked_for)];
    Finding::bad("port", words).fixed_by(fix)
}

/// Compares the program that runs with the one that the PATH finds. Another
/// product ships a `nudge` as well, so that one is not started to be asked.
fn look_at_binary(own: io::Result<PathBuf>, path: Option<OsString>) -> Finding {
    let own = match own {
        Ok(own) => own,
        Err(error) => {
            let words = format!("{PRODUCT} {VERSION}, but where it lies cannot be told ({error})");
            return Finding::odd("binary", words);
        }
    };
    let this = format!("{PRODUCT} {VERSION} at `{}`", own.display());
    let folder = own.parent().unwrap_or(Path::new("/"));
    let fix = SHELL.put_on_path(folder);
    match program::find(PRODUCT, &path.unwrap_or_default()) {
        Some(found) if is_same(&found, &own) => {
            Finding::good("binary", format!("{this}, which the PATH finds"))
        }
        Some(found) => {
            let found = found.display();
            let words = format!("{this}, but the PATH finds `{found}` first, which is another");
            Finding::odd("binary", words).fixed_by(fix)
        }
        None => {
            Finding::odd("binary", format!("{this}, which the PATH does not find")).fixed_by(fix)
        }
    }
}

/// Runs a program of a host's, and ends it where it takes too long.
fn ran(command: &mut Command, input: &str) -> Result<Ran, String> {
    let start = Instant::now();
    let is_over = || {
        let words = || format!("it did not end within {} s", PATIENCE.as_secs());
        (start.elapsed() > PATIENCE).then(words)
    };
    run_until("it", command, input.as_bytes(), MOST_SAID, is_over)
}

/// Whether two paths lead to the same file, by whatever links.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}
