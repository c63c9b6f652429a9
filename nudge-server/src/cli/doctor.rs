//! `nudge doctor`: looks at everything, changes nothing, and says what to do.

mod agreement;
mod binary;
mod files;
mod finding;
mod folder;
mod git;
mod hooks;
mod hosts;
mod old;
mod port;
mod proxy;
mod server;
mod settings;
mod trust;

use std::time::Duration;

use clap::Args;

use self::finding::{Finding, State};
use super::output::{Exit, Output, Page};
use crate::cli::escape::shown;
use crate::config::{Flags, Refused, Settings, UserFile};
use crate::install::machine::Machine;
use nudge_client::folder::Runtime;

#[derive(Debug, Args)]
#[command(after_help = "✔ is fine, ! may surprise you, ✘ does not work.
Nothing is changed, and no server is started.
Exit status: 0 when there is no ✘, else 2.")]
pub(crate) struct Doctor {}

/// How long anything may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

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
    let file = UserFile::read();
    let (settings, refused) = Settings::read_each(&Flags::default(), variable, &file);
    let mut found = vec![binary::look(std::env::current_exe(), variable("PATH"))];
    let names = std::env::vars_os().map(|(name, _)| name);
    found.extend(settings::look(names, &file, &refused));
    // Where the variable says nothing, no folder is meant.
    let is_folder = |refused: &Refused| refused.variable == Some("NUDGE_RUNTIME_DIR");
    if !refused.iter().any(is_folder) {
        let asked_for = settings.runtime_dir.as_deref();
        let place = Runtime::place(asked_for);
        let (runtime, folder) = folder::look(&place, asked_for.is_some());
        found.push(folder);
        found.extend(session(runtime.as_ref(), port, &settings));
    }
    found.extend(proxy::look(variable));
    found.push(git::look(std::env::current_dir().ok().as_deref()));
    // Without a home there are no hosts to look at.
    if let Ok(machine) = Machine::here() {
        found.extend(hosts::look(&machine));
        found.extend(hooks::look(&machine));
        found.extend(trust::look(&machine));
        found.extend(std::env::home_dir().and_then(|home| old::look(&home)));
    }
    found
}

/// What there is of a session: its server, and what the folder says about it.
fn session(runtime: Option<&Runtime>, port: Option<u16>, settings: &Settings) -> Vec<Finding> {
    let (answer, mut found) = server::look(runtime, settings.autostart);
    let running = answer.status().and_then(|status| status.settings.clone());
    let next = || settings.session_of_file_tightened();
    found.extend(settings::guard(&running.unwrap_or_else(next)));
    if let Some(runtime) = runtime {
        found.extend(agreement::look(runtime, &answer));
        found.extend(files::look(runtime.folder(), answer.status().is_some()));
    }
    let identity = runtime.and_then(Runtime::identity);
    found.extend(port::look(answer.status(), identity.as_ref(), port));
    found
}

fn write(page: &mut Page, finding: &Finding) {
    let line = format!("{}: {}", shown(&finding.about), shown(&finding.words));
    match finding.state {
        State::Good => page.marked("✔", &line),
        State::Odd => page.warned("!", &line),
        State::Bad => page.alarmed("✘", &line),
    }
    if let Some(fix) = &finding.fix {
        page.line(&format!("  type: {}", shown(fix)));
    }
}
