//! `nudge doctor`: looks at what can break, changes nothing, and says what to do. What is
//! merely good to know is `nudge status`.

mod binary;
mod hooks;
mod hosts;
mod port;
pub(super) mod quiet;
mod server;
mod store;
mod trust;

use std::time::Duration;

use clap::Args;
use nudge_client::folder::Runtime;
use serde::Serialize;

use super::output::{Exit, Output, Page};
use super::shell::SHELL;
use crate::config::{Flags, GUARD_IS_OFF, Refused, Settings, UserFile};
use crate::install::machine::Machine;
use crate::install::table::Host;
use crate::sync;
use crate::wire::escape::shown;

#[derive(Debug, Args)]
#[command(after_help = "✔ is fine, ! may surprise you, ✘ does not work.
Nothing is changed, and no server is started.
Exit status: 0 when there is no ✘, else 2.")]
pub(crate) struct Doctor {}

/// How long anything may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// How a thing is.
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
    /// The command that fixes it, as it is typed.
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

    /// The same with the command that fixes it.
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
            write(page, finding);
        }
        exit
    })
}

fn look(port: Option<u16>) -> Vec<Finding> {
    let variable = |name: &str| std::env::var_os(name);
    let (settings, refused) = Settings::read_each(&Flags::default(), variable, &UserFile::read());
    let mut found = vec![binary::look(std::env::current_exe(), variable("PATH"))];
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
    found.extend(at.map(|at| port::look(at, nonce, port.is_some())));
    found
}

fn write(page: &mut Page, finding: &Finding) {
    let line = format!("{}: {}", finding.about, shown(&finding.words));
    match finding.state {
        State::Good => page.marked("✔", &line),
        State::Odd => page.warned("!", &line),
        State::Bad => page.alarmed("✘", &line),
    }
    if let Some(fix) = &finding.fix {
        page.line(&format!("  type: {}", shown(fix)));
    }
}
