//! The flags that every command takes, before its name or after it.

use clap::{ArgMatches, Args};

/// They are laid out with the command that is called, and not as clap's global
/// ones: those are copied into all commands, an eighth of all that a get executes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(crate) struct EveryCommand {
    /// Talk to the server on this port of 127.0.0.1; with `serve`, listen there
    #[arg(short, long, help_heading = "For every command")]
    pub(crate) port: Option<u16>,
    /// Print the JSON-RPC result or error as it is
    #[arg(long, help_heading = "For every command")]
    pub(crate) json: bool,
    /// Print without colour, as `NO_COLOR` does
    #[arg(long, help_heading = "For every command")]
    pub(crate) no_color: bool,
}

impl EveryCommand {
    /// What was said before the command and after it; of two ports the latter counts.
    pub(crate) fn said(matches: &ArgMatches) -> EveryCommand {
        let after = matches.subcommand().map(|(_, after)| after);
        let levels = || after.into_iter().chain([matches]);
        let is_on = |name| {
            let mut said = levels().filter_map(|level| level.try_get_one::<bool>(name).ok()?);
            said.any(|on| *on)
        };
        let mut ports = levels().filter_map(|level| level.try_get_one::<u16>("port").ok()?);
        EveryCommand {
            port: ports.next().copied(),
            json: is_on("json"),
            no_color: is_on("no_color"),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn a_flag_for_every_command_may_stand_before_its_name_and_after_it() {
        let said = |line: &str| {
            let matches = Cli::command().try_get_matches_from(line.split(' '));
            EveryCommand::said(&matches.unwrap())
        };
        let all = EveryCommand {
            port: Some(7),
            json: true,
            no_color: true,
        };
        for line in [
            "nudge -p 7 --json --no-color ls",
            "nudge ls -p 7 --json --no-color",
            "nudge --json -p 9 ls --no-color --port=7",
            "nudge --json status --json -p 7 --no-color",
        ] {
            assert_eq!(said(line), all, "{line}");
        }
        assert_eq!(said("nudge ls"), EveryCommand::default());
    }

    #[test]
    fn every_command_takes_them() {
        let mut command = Cli::command();
        command.build();
        for part in command.get_subcommands() {
            let names = part.get_arguments().map(|arg| arg.get_id().as_str());
            let names: Vec<&str> = names.collect();
            let takes_them = ["port", "json", "no_color"]
                .iter()
                .all(|name| names.contains(name));
            assert!(
                takes_them || part.get_name() == "help",
                "{}",
                part.get_name()
            );
        }
    }
}
