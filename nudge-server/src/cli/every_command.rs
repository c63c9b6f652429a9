//! The flags that every command takes, before its name or after it, and how those of its own are
//! laid out only when they are needed.

use std::io::IsTerminal;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};
use serde::Serialize;

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
    /// Color: auto, always or never; auto heeds `NO_COLOR` and `TERM=dumb`
    #[arg(
        long,
        value_name = "WHEN",
        help_heading = "For every command",
        hide_possible_values = true
    )]
    pub(crate) color: Option<Color>,
    /// Print nothing but what was asked for, or the error
    #[arg(short, long, help_heading = "For every command")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// What a command line says that was not understood, or only asks for help.
    pub(crate) fn typed() -> Color {
        // A word need not be UTF-8.
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = words.collect();
        let mut said = words.windows(2).filter_map(|pair| match pair {
            [flag, when] if flag == "--color" => Color::from_str(when, false).ok(),
            [_, word] => Color::from_str(word.strip_prefix("--color=")?, false).ok(),
            _ => None,
        });
        said.next_back().unwrap_or_default()
    }

    pub(crate) fn is_for(self, stream: &impl IsTerminal) -> bool {
        let is_unwanted = || {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
            no_color || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
        };
        match self {
            Color::Auto => stream.is_terminal() && !is_unwanted(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

impl EveryCommand {
    /// What was said before the command and after it; of two ports the latter counts.
    pub(crate) fn said(matches: &ArgMatches) -> EveryCommand {
        let said = |level| EveryCommand::from_arg_matches(level).unwrap_or_default();
        let after = matches.subcommand().map(|(_, after)| said(after));
        let (before, after) = (said(matches), after.unwrap_or_default());
        EveryCommand {
            port: after.port.or(before.port),
            json: after.json || before.json,
            color: after.color.or(before.color),
            quiet: after.quiet || before.quiet,
        }
    }
}

/// The flags of a command that clap need not know of while it looks for another
/// one: laying out all flags of all commands takes longer than the rest of a get.
#[derive(Debug)]
pub(crate) struct Later<T>(pub(crate) Box<T>);

/// The flags of a command that has none of its own.
#[derive(Debug, Args, Serialize)]
pub(crate) struct Nothing {}

impl<T: Args> Args for Later<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(laid_out::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(laid_out::<T>)
    }
}

/// A command with its flags, under its own words: what is said of a group of
/// flags would otherwise pass for what is said of the command.
fn laid_out<T: Args>(command: Command) -> Command {
    let about = command.get_about().cloned();
    let command = EveryCommand::augment_args(command);
    let command = T::augment_args(command).long_about(None);
    match about {
        Some(about) => command.about(about),
        None => command,
    }
}

impl<T: FromArgMatches> FromArgMatches for Later<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Later<T>, Error> {
        T::from_arg_matches(matches).map(|flags| Later(Box::new(flags)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
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
            color: Some(Color::Never),
            quiet: true,
        };
        for line in [
            "nudge -q -p 7 --json --color never ls",
            "nudge ls -p 7 --json --color=never --quiet",
            "nudge --json --color auto -p 9 ls -q --color never --port=7",
            "nudge --json -q status --json -p 7 --color never",
        ] {
            assert_eq!(said(line), all, "{line}");
        }
        assert_eq!(said("nudge ls"), EveryCommand::default());
    }
}
