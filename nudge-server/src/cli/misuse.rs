//! What is wrong with a command line, and what to type instead.

use std::num::ParseIntError;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use nudge::suggest;

use super::command;
use crate::wire::escape::shown;

/// What takes something away is for who types its name.
const DESTRUCTIVE: &str = "delete rm remove del mv purge reject stop uninstall untrust";

/// The command whose value may begin with a dash.
const SET: &str = "nudge set";

/// What is wrong with a command line, and what to type instead; `None` where clap says it
/// better, as when help is asked for.
pub(crate) fn describe(misuse: &Error) -> Option<String> {
    let text = |kind| match misuse.get(kind) {
        Some(ContextValue::String(text)) => Some(shown(text).into_owned()),
        Some(ContextValue::Strings(all)) if !all.is_empty() => {
            Some(shown(&all.join("`, `")).into_owned())
        }
        Some(ContextValue::StyledStr(text)) => Some(text.to_string()),
        _ => None,
    };
    let usage = text(ContextKind::Usage).unwrap_or_default();
    let usage = usage.trim_start_matches("Usage: ");
    let usage = usage.lines().next().unwrap_or_default();
    let command = usage.split(' ').take(2);
    let command: Vec<&str> = command
        .filter(|word| !word.starts_with(['[', '<']))
        .collect();
    let command = command.join(" ");
    let given = text(ContextKind::InvalidArg);
    let flag = || {
        let name = given.as_deref()?.split([' ', '=']).next();
        name.map(|name| name.trim_matches(['[', ']', '<', '>', '.']))
    };
    Some(match misuse.kind() {
        ErrorKind::InvalidSubcommand => unknown(&text(ContextKind::InvalidSubcommand)?),
        ErrorKind::UnknownArgument => {
            let given = given?;
            // A value may begin with a dash, so a flag that there is not passes for one.
            let is_flag = given.len() > 1 && given.starts_with('-');
            let flag = typed_flag().filter(|_| command == SET);
            if let Some(flag) = flag.or(is_flag.then(|| given.clone())) {
                return Some(unknown_flag(&command, &flag));
            }
            let quotes = if usage.contains("<VALUE>") {
                "; put a value of several words in quotes"
            } else {
                ""
            };
            format!("`{given}` is a word too many{quotes}: `{usage}`")
        }
        ErrorKind::InvalidUtf8 => "an argument is not UTF-8; type it as UTF-8, or give a value \
                                   by `-` on stdin"
            .to_owned(),
        ErrorKind::MissingRequiredArgument => format!("`{}` is missing; type `{usage}`", given?),
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg)?;
            format!(
                "`{}` and `{other}` exclude each other; leave one out",
                given?
            )
        }
        ErrorKind::InvalidValue => {
            let value = text(ContextKind::InvalidValue)?;
            let Some(valid) = text(ContextKind::ValidValue) else {
                return Some(format!("`{}` is without its value; give it one", flag()?));
            };
            let known: Vec<&str> = valid.split("`, `").collect();
            let meant = suggest(&value, &known).map(|meant| format!("; did you mean `{meant}`?"));
            let next = format!("it is one of `{valid}`{}", meant.unwrap_or_default());
            let value = Some(value).filter(|value| !value.is_empty());
            let value = value.map_or("nothing".to_owned(), |value| format!("`{value}`"));
            format!("`{}` cannot be {value}; {next}", flag()?)
        }
        ErrorKind::ValueValidation => {
            let value = text(ContextKind::InvalidValue)?;
            let source = std::error::Error::source(misuse)?;
            let why = source.to_string();
            let why = match why.split_once(" is not in ") {
                Some((_, range)) => format!("give a number from {}", range.replace("..=", " to ")),
                None if source.is::<ParseIntError>() => "give a whole number".to_owned(),
                None => why,
            };
            format!("`{}` cannot be `{value}`: {}", flag()?, shown(&why))
        }
        ErrorKind::TooManyValues => {
            let value = text(ContextKind::InvalidValue)?;
            format!("`{value}` is a word too many; `{command} --help` shows what to type")
        }
        _ => return None,
    })
}

/// What to say to a command that there is not.
fn unknown(typed: &str) -> String {
    let known = command();
    let about = |name: &str| {
        let about = known.find_subcommand(name)?.get_about()?.to_string();
        let (first, rest) = about.split_at_checked(1)?;
        Some(format!(
            "try `nudge {name}`: {}{rest}",
            first.to_lowercase()
        ))
    };
    let names = known.get_subcommands().filter(|part| !part.is_hide_set());
    let names = names.flat_map(Command::get_name_and_visible_aliases);
    let names: Vec<&str> = names.chain(["help"]).collect();
    let is_kept_back = |name: &&str| DESTRUCTIVE.split(' ').any(|known| known == *name);
    let meant = suggest(typed, &names).filter(|name| !is_kept_back(name));
    let meant = meant.and_then(about);
    let next = meant.unwrap_or_else(|| "`nudge --help` lists them".to_owned());
    format!("no command `{typed}`; {next}")
}

/// A command with its flags, by what is typed for it.
fn laid_out(typed: &str) -> Command {
    let mut known = command();
    known.build();
    let part = typed.split(' ').nth(1);
    let part = part.and_then(|name| known.find_subcommand(name).cloned());
    part.unwrap_or(known)
}

/// The long names of the flags of a command.
fn flags(part: &Command) -> Vec<&str> {
    let shown = part.get_arguments().filter(|arg| !arg.is_hide_set());
    let names = shown.filter_map(Arg::get_long_and_visible_aliases);
    names.flatten().collect()
}

/// The name of a flag as it is typed.
fn name_of(flag: &str) -> &str {
    let name = flag.trim_start_matches('-').split('=').next();
    name.unwrap_or_default()
}

/// What to say to a flag that a command does not have.
pub(super) fn unknown_flag(command: &str, typed: &str) -> String {
    let (part, name) = (laid_out(command), name_of(typed));
    let words = part.get_positionals();
    let mut words = words.filter_map(|arg| arg.get_value_names()).flatten();
    // As in `git log -5`.
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let meant = suggest(if is_number { "limit" } else { name }, &flags(&part));
    // What goes on without a question is for who means it, and no guess at letters.
    let is_guess = |flag: &str| flag == "force" || flag == "yes" && name.starts_with('y');
    let meant = meant.filter(|flag| !is_guess(flag));
    let next = match meant {
        _ if words.any(|word| word.eq_ignore_ascii_case(name)) => {
            "it is a word without a flag".to_owned()
        }
        Some(meant) => format!("did you mean `--{meant}`?"),
        None => format!("`{command} --help` lists its flags"),
    };
    let mut line = std::env::args_os();
    if is_number && line.any(|word| word == "--ttl") {
        let ttl = line.next().unwrap_or_default();
        let ttl = ttl.to_string_lossy();
        let words = "a duration is above zero, such as `2h`";
        return format!("`--ttl` cannot be `{}`; {words}", shown(&ttl));
    }
    let value = if command == SET {
        "; a value that begins with `-` stands behind `--`"
    } else {
        ""
    };
    format!("`{command}` has no `{typed}`; {next}{value}")
}

/// The first flag on this command line that `nudge set` does not have.
fn typed_flag() -> Option<String> {
    let (part, words) = (laid_out(SET), std::env::args_os());
    let known = flags(&part);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let mut typed = words.take_while(|word| word != "--");
    typed.find(|word| word.starts_with("--") && !known.contains(&name_of(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_takes_away_is_suggested() {
        let typed = "clear reset kill stpo top delte purg unistall rejct untrst rmm st x";
        for typed in typed.split(' ').chain(["", "\u{1b}[2J"]) {
            let misuse = command().try_get_matches_from(["nudge", typed]);
            let said = describe(&misuse.unwrap_err()).unwrap();
            assert!(said.ends_with("; `nudge --help` lists them"), "{said}");
            assert!(!said.contains('\u{1b}'), "{said}");
        }
    }

    #[test]
    fn what_takes_away_is_known_by_name() {
        let known = command();
        for name in DESTRUCTIVE.split(' ') {
            assert!(known.find_subcommand(name).is_some(), "{name}");
        }
    }
}
