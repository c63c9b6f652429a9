//! `nudge uninstall`

use clap::Args;

use super::host_flags::{HostFlags, print_reports};
use super::output::Exit;
use super::terminal::{Terminal, misuse};
use crate::config::UserFile;
use crate::install::backup::Backup;
use crate::install::config_file::ConfigFile;
use crate::install::hooks::Hooks;
use crate::install::machine::Machine;
use crate::install::remove::{uninstall, uninstall_hooks};
use crate::install::report::{Outcome, Report};
use crate::install::table::{HOSTS, Host, Scope};
use crate::wire::Fault;

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    flags: HostFlags,
}

impl Uninstall {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let flags = &self.flags;
        let machine = Machine::here().map_err(misuse)?;
        let found = || {
            let hosts = HOSTS.iter();
            hosts
                .filter(|host| holds(host, flags.scope, &machine).unwrap_or(true))
                .collect()
        };
        let (scope, dry_run) = (flags.scope, flags.dry_run);
        let mut is_settled = false;
        let reports = |host: &'static Host| {
            let entry = uninstall(host, scope, &machine, dry_run);
            let is_done = scope == Scope::User && entry.outcome == Outcome::Removed;
            let is_first = is_done && !std::mem::replace(&mut is_settled, is_done);
            let note = is_first.then(|| UserFile::read().left());
            let entry = entry.noting(note.flatten());
            let hooks = uninstall_hooks(host, scope, &machine, dry_run);
            std::iter::once(with_project(host, scope, &machine, entry)).chain(hooks)
        };
        let nothing = "no entry of Nudge was found";
        let hosts = flags.candidates(terminal, "uninstall", nothing, found)?;
        let hosts = flags.agreed(hosts, "uninstall");
        if hosts.is_empty() {
            terminal.out.note("nothing was changed");
        }
        let reports = hosts.into_iter().flat_map(reports);
        Ok(print_reports(&terminal.out, reports))
    }
}

/// Whether a host has an entry of ours, hooks, or the backup of one; unknown where its file cannot be read,
/// which whoever wants to be rid of Nudge should hear of.
fn holds(host: &Host, scope: Scope, machine: &Machine) -> Option<bool> {
    let (file, present) = ConfigFile::of(host, scope, machine).ok()?;
    let is_ours = present.is_some_and(|present| present.is_ours());
    let has_backup = || Backup::of(&file).read().is_some();
    let is_wired = |hooks: &Hooks| {
        let file = hooks.file(scope, machine);
        file.is_ok_and(|file| hooks.is_wired(&file.text))
    };
    Some(is_ours || has_backup() || Hooks::of(host).is_some_and(is_wired))
}

/// The same report, with a note if the project has an entry as well, which is
/// for others too and so is not taken along.
fn with_project(host: &Host, scope: Scope, machine: &Machine, report: Report) -> Report {
    let is_left = scope == Scope::User
        && report.outcome != Outcome::Refused
        && holds(host, Scope::Project, machine) == Some(true);
    let id = host.id;
    let note = || format!("this project has an entry too: `nudge uninstall {id} --scope project`");
    report.noting(is_left.then(note))
}
