//! `nudge install`

use std::io::{self, IsTerminal};

use clap::Args;

use super::host_flags::HostFlags;
use super::output::Exit;
use super::pretty_report;
use super::start::is_there;
use super::terminal::{Terminal, misuse};
use crate::config::{Flags, Settings, UserFile};
use crate::install::add::{install, print};
use crate::install::hooks;
use crate::install::keep::{Keep, is_kept};
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
    #[command(flatten)]
    keep: KeepFlags,
}

#[derive(Debug, Args)]
struct KeepFlags {
    /// Keep what works for the next session, without a question
    #[arg(long, conflicts_with = "no_keep")]
    keep: bool,
    /// Keep nothing for the next session
    #[arg(long)]
    no_keep: bool,
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
                let file = UserFile::read();
                let is_empty = hosts.is_empty();
                let mut keep = if is_empty {
                    None
                } else {
                    self.keep(terminal, &file)
                };
                let reports = hosts.into_iter().flat_map(|host| {
                    let entry = install(host, scope, &machine, dry_run);
                    let is_done = entry.outcome != Outcome::Refused;
                    let keep = is_done.then(|| keep.take()).flatten();
                    let entry = entry.noting(keep.map(|keep| keep.write(&file, has_session())));
                    let wire = || hooks::install(host, scope, &machine, dry_run);
                    self.with_hooks(host, entry, wire)
                });
                pretty_report::print(&terminal.out, reports)
            }
            Err(fault) => terminal.out.print_word(Err(fault)),
        }
    }

    /// Whether to keep what works, if that is to be said. A project's file and a dry run
    /// change nothing of the user's.
    fn keep(&self, terminal: &Terminal, file: &UserFile) -> Option<Keep> {
        let HostFlags { scope, dry_run, .. } = self.flags;
        let said = self.keep.keep.then_some(true);
        let said = said.or(self.keep.no_keep.then_some(false));
        if scope == Scope::Project || dry_run {
            return None;
        }
        if file.says("NUDGE_KEEP") {
            return said.map(|_| Keep::Settled);
        }
        // What a session may do is not for an agent to say.
        if terminal.shell().is_some() {
            return Some(Keep::Open);
        }
        let stdin = io::stdin();
        let is_asked = !self.flags.yes
            && !terminal.out.is_json()
            && stdin.is_terminal()
            && io::stderr().is_terminal();
        let answer = || !is_asked || is_kept(stdin.lock(), io::stderr());
        Some(Keep::Answered(said.unwrap_or_else(answer)))
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

/// Whether there is a session, which has its settings already.
fn has_session() -> bool {
    Settings::read(&Flags::default()).is_ok_and(|settings| is_there(&settings))
}
