//! Flags that are laid out only when they are needed.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use serde::Serialize;

use super::every_command::EveryCommand;

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
