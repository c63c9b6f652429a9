//! `nudge install`

use clap::Args;

use super::host_flags::HostFlags;
use super::output::Exit;
use super::pretty_deed;
use super::terminal::{Terminal, misuse};
use crate::host::install::{install, print};
use crate::host::machine::Machine;
use crate::host::table::HOSTS;

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    flags: HostFlags,
    /// Print what to paste into which file, and change nothing
    #[arg(long, conflicts_with = "dry_run")]
    print: bool,
}

impl Install {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let flags = &self.flags;
        let machine = match Machine::here() {
            Ok(machine) => machine,
            Err(words) => return terminal.out.told(Err(misuse(words).into())),
        };
        if self.print {
            let hosts = if flags.are_named() {
                flags.named()
            } else {
                HOSTS.iter().collect()
            };
            let deeds = hosts
                .into_iter()
                .map(|host| print(host, flags.scope, &machine));
            return pretty_deed::print(&terminal.out, deeds);
        }
        match flags.chosen(
            terminal,
            "install",
            "no coding agent was found here",
            || machine.hosts(),
        ) {
            Ok(hosts) => {
                let deed = |host| install(host, flags.scope, &machine, flags.dry_run);
                pretty_deed::print(&terminal.out, hosts.into_iter().map(deed))
            }
            Err(fault) => terminal.out.told(Err(fault)),
        }
    }
}
