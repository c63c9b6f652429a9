//! What to type instead of a command that there is not.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command;
use super::escape::shown;

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
const DESTRUCTIVE: [&str; 9] = [
    "delete",
    "rm",
    "remove",
    "del",
    "purge",
    "reject",
    "stop",
    "uninstall",
    "untrust",
];

/// What to say to a command that there is not, and `None` to all other misuse.
pub(crate) fn for_unknown(misuse: &Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = misuse.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    if misuse.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let known = command();
    let about = |name: &str| {
        let about = known.find_subcommand(name)?.get_about()?.to_string();
        let (first, rest) = about.split_at_checked(1)?;
        Some(format!(
            "try `nudge {name}`: {}{rest}",
            first.to_lowercase()
        ))
    };
    let meant = MEANT
        .iter()
        .find(|(_, words)| words.contains(&typed.as_str()));
    let meant = meant.map(|(name, _)| *name);
    let meant = meant.or_else(|| alike(&known, typed)).and_then(about);
    let next = meant.unwrap_or_else(|| "`nudge --help` lists them".to_owned());
    Some(format!("no command `{}`; {next}", shown(typed)))
}

/// The command that a word is a slip of. One that is nearest to what takes something away is
/// a slip of nothing else.
fn alike<'c>(known: &'c clap::Command, typed: &str) -> Option<&'c str> {
    let names = known.get_subcommands().filter(|part| !part.is_hide_set());
    let names = names.flat_map(clap::Command::get_name_and_visible_aliases);
    let slips = names.map(|name| (strsim::osa_distance(typed, name), name));
    let (slips, name) = slips.min()?;
    (slips <= (typed.len() / 3).min(2) && !DESTRUCTIVE.contains(&name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(typed: &str) -> String {
        let misuse = command()
            .try_get_matches_from(["nudge", typed])
            .unwrap_err();
        for_unknown(&misuse).unwrap()
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
            ("lisst", "ls"),
            ("complete", "completions"),
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
            assert!(!DESTRUCTIVE.contains(&name), "{name}");
            for word in words {
                assert!(known.find_subcommand(word).is_none(), "{word}");
            }
        }
        for name in DESTRUCTIVE {
            assert!(known.find_subcommand(name).is_some(), "{name}");
        }
    }
}
