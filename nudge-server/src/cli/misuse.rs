//! What is wrong with a command line, and what to type instead.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command;
use crate::wire::escape::shown;

/// Commands by what hands call them elsewhere.
const MEANT: [(&str, &[&str]); 18] = [
    ("status", &["info", "ps", "start", "up", "stats", "health"]),
    ("set", &["update", "put", "save", "new", "create", "change"]),
    ("get", &["read", "fetch", "lookup", "print"]),
    ("why", &["explain", "describe", "inspect", "view", "cat"]),
    ("query", &["grep", "filter"]),
    ("ls", &["keys", "components", "all"]),
    ("bump", &["use", "used", "worked", "works", "ok"]),
    ("install", &["init", "setup", "enable", "connect"]),
    ("proposals", &["pending", "review", "inbox"]),
    ("accept", &["approve", "confirm"]),
    ("log", &["logs", "recent", "activity", "timeline"]),
    ("watch", &["tail", "follow", "monitor", "events"]),
    ("ui", &["web", "page", "browser", "gui", "dashboard"]),
    ("config", &["settings", "options", "env"]),
    ("doctor", &["diagnose", "debug", "repair"]),
    ("restart", &["upgrade", "reload"]),
    ("export", &["dump", "backup"]),
    ("keep", &["persist", "pin"]),
];

/// What takes something away is for who types its name.
const DESTRUCTIVE: &str = "delete rm remove del mv purge reject stop uninstall untrust";

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
    let command: Vec<&str> = usage.split(' ').take(2).collect();
    let command = command.join(" ");
    let given = text(ContextKind::InvalidArg);
    let flag = || {
        let name = given.as_deref()?.split([' ', '=']).next();
        name.map(|name| name.trim_matches(['[', ']', '<', '>', '.']))
    };
    Some(match misuse.kind() {
        ErrorKind::InvalidSubcommand => unknown(&text(ContextKind::InvalidSubcommand)?),
        ErrorKind::UnknownArgument if given.as_ref()?.starts_with('-') => {
            let meant = text(ContextKind::SuggestedArg);
            let next = meant.map_or_else(
                || format!("`{command} --help` lists its flags"),
                |meant| format!("did you mean `{meant}`?"),
            );
            format!("`{command}` has no `{}`; {next}", given?)
        }
        ErrorKind::UnknownArgument => {
            let words = "is a word too many; put a value of several words in quotes";
            format!("`{}` {words}: `{usage}`", given?)
        }
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
            let valid = text(ContextKind::ValidValue)?;
            let meant = text(ContextKind::SuggestedValue);
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
            let next = format!("it is one of `{valid}`{}", meant.unwrap_or_default());
            let value = Some(value).filter(|value| !value.is_empty());
            let value = value.map_or("nothing".to_owned(), |value| format!("`{value}`"));
            format!("`{}` cannot be {value}; {next}", flag()?)
        }
        ErrorKind::ValueValidation => {
            let value = text(ContextKind::InvalidValue)?;
            let why = std::error::Error::source(misuse)?.to_string();
            format!("`{}` cannot be `{value}`: {}", flag()?, shown(&why))
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
    let meant = MEANT.iter().find(|(_, words)| words.contains(&typed));
    let meant = meant.map(|(name, _)| *name);
    let meant = meant.or_else(|| alike(&known, typed)).and_then(about);
    let next = meant.unwrap_or_else(|| "`nudge --help` lists them".to_owned());
    format!("no command `{typed}`; {next}")
}

fn is_destructive(name: &str) -> bool {
    DESTRUCTIVE.split(' ').any(|known| known == name)
}

/// The command that a word is a slip of. One that is nearest to what takes something away is
/// a slip of nothing else.
fn alike<'c>(known: &'c clap::Command, typed: &str) -> Option<&'c str> {
    let names = known.get_subcommands().filter(|part| !part.is_hide_set());
    let names = names.flat_map(clap::Command::get_name_and_visible_aliases);
    let slips = names.map(|name| (strsim::osa_distance(typed, name), name));
    let (slips, name) = slips.min()?;
    (slips <= (typed.len() / 3).min(2) && !is_destructive(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(typed: &str) -> String {
        let misuse = command()
            .try_get_matches_from(["nudge", typed])
            .unwrap_err();
        describe(&misuse).unwrap()
    }

    #[test]
    fn a_word_is_known_by_its_meaning_or_as_a_slip() {
        for (typed, name) in [
            ("info", "status"),
            ("ps", "status"),
            ("start", "status"),
            ("update", "set"),
            ("init", "install"),
            ("setup", "install"),
            ("logs", "log"),
            ("histroy", "history"),
            ("gte", "get"),
            ("lisst", "list"),
            ("completion", "completions"),
        ] {
            let said = said(typed);
            let expected = format!("no command `{typed}`; try `nudge {name}`: ");
            assert!(said.starts_with(&expected), "{said}");
        }
    }

    #[test]
    fn nothing_that_takes_away_is_suggested() {
        for typed in [
            "clear",
            "reset",
            "kill",
            "stpo",
            "top",
            "delte",
            "purg",
            "unistall",
            "rejct",
            "untrst",
            "rmm",
            "st",
            "x",
            "",
            "\u{1b}[2J",
        ] {
            let said = said(typed);
            assert!(said.ends_with("; `nudge --help` lists them"), "{said}");
            assert!(!said.contains('\u{1b}'), "{said}");
        }
    }

    #[test]
    fn every_word_leads_to_a_command_and_is_none() {
        let known = command();
        for (name, words) in MEANT {
            assert!(known.find_subcommand(name).is_some(), "{name}");
            assert!(!is_destructive(name), "{name}");
            for word in words {
                assert!(known.find_subcommand(word).is_none(), "{word}");
            }
        }
        for name in DESTRUCTIVE.split(' ') {
            assert!(known.find_subcommand(name).is_some(), "{name}");
        }
    }
}
