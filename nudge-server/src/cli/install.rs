//! `nudge install`

use clap::Args;

use super::host_flags::HostFlags;
use super::output::Exit;
use super::pretty_report;
use super::terminal::{Terminal, misuse};
use crate::config::UserFile;
use crate::install::add::{install, print};
use crate::install::hooks;
use crate::install::machine::Machine;
use crate::install::report::{Outcome, Report};
use crate::install::table::{HOSTS, Host, Scope};

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    flags: HostFlags,
    /// Print what to paste into which file, and change nothing
    #[arg(long, conflicts_with = "dry_run")]
    print: bool,
    /// Wire the agent's hooks too, so that hints come by themselves
    #[arg(long)]
    hooks: bool,
}

impl Install {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let flags = &self.flags;
        let machine = match Machine::here() {
            Ok(machine) => machine,
            Err(words) => return terminal.out.print_word(Err(misuse(words).into())),
        };
        if self.print {
            let hosts = if flags.are_named() {
                flags.named()
            } else {
                HOSTS.iter().collect()
            };
            let reports = hosts.into_iter().flat_map(|host| {
                let entry = print(host, flags.scope, &machine);
                self.with_hooks(host, entry, || hooks::print(host, flags.scope, &machine))
            });
            return pretty_report::print(&terminal.out, reports);
        }
        match flags.chosen(
            terminal,
            "install",
            "no coding agent was found here",
            || machine.hosts(),
        ) {
            Ok(hosts) => {
                let (scope, dry_run) = (flags.scope, flags.dry_run);
                let reports = hosts.into_iter().flat_map(|host| {
                    let entry = install(host, scope, &machine, dry_run);
                    let is_done = scope == Scope::User && entry.outcome == Outcome::Installed;
                    let note = is_done.then(|| UserFile::read().write_first());
                    let entry = entry.noting(note.flatten());
                    let wire = || hooks::install(host, scope, &machine, dry_run);
                    self.with_hooks(host, entry, wire)
                });
                pretty_report::print(&terminal.out, reports)
            }
            Err(fault) => terminal.out.print_word(Err(fault)),
        }
    }

    /// What was done for the entry, and for the hooks if they were asked for.
    /// Without the entry there would be no server to hear of them.
    fn with_hooks(
        &self,
        host: &Host,
        entry: Report,
        wire: impl FnOnce() -> Option<Report>,
    ) -> Vec<Report> {
        if !self.hooks || entry.outcome == Outcome::Refused {
            return vec![entry];
        }
        if let Some(wired) = wire() {
            return vec![entry, wired];
        }
        let note = format!("Nudge knows no hooks of {}", host.name);
        vec![entry.noting(Some(note))]
    }
}
