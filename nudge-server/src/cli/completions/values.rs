//! What each flag and argument takes, as far as it can be known.

use std::ffi::OsStr;

use clap::{Arg, ArgMatches, Command, CommandFactory, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};

use super::names;
use crate::cli::Cli;

/// The words of flags whose values are read by the store, which has the last
/// word about them: what is not here may be typed all the same.
const WORDS: [(&str, &[&str]); 14] = [
    (
        "host",
        &["claude", "codex", "gemini", "copilot", "cursor", "opencode"],
    ),
    ("os", SYSTEMS),
    ("scope_os", SYSTEMS),
    ("path_os", SYSTEMS),
    ("shell", &["bash", "sh", "zsh", "fish", "powershell", "cmd"]),
    (
        "format",
        &["mustache", "handlebars", "jinja", "interpolate"],
    ),
    ("mode", &["merge", "replace"]),
    ("source", &["user", "agent", "tool-output", "file-import"]),
    ("sensitivity", &["normal", "secret"]),
    ("log_level", &["error", "warn", "info", "debug"]),
    ("scope_writes", &["repo", "off"]),
    ("ttl", &["session", "30m", "2h", "P1D"]),
    ("default_ttl", &["session", "PT2H", "P1D"]),
    (
        "clear",
        &["reason", "tags", "priority", "confidence", "ttl"],
    ),
];

const SYSTEMS: &[&str] = &["linux", "darwin", "windows"];

/// The arguments that are files or folders of this machine.
const PATHS: [(&str, ValueHint); 5] = [
    ("file", ValueHint::FilePath),
    ("output", ValueHint::FilePath),
    ("cwd", ValueHint::DirPath),
    ("runtime_dir", ValueHint::DirPath),
    ("folder", ValueHint::DirPath),
];

/// A command whose arguments know their values; names of the store are looked
/// up when they are asked for.
pub(super) fn known(mut command: Command, words: &[String]) -> Command {
    let before = words.split_last().map_or(&[][..], |(_, before)| before);
    let stated = Stated::in_words(before);
    for part in command.get_subcommands_mut() {
        let stated = stated.clone();
        let is_export = part.get_name() == "export";
        // Of two names for a command the short one is offered.
        let named = std::mem::take(part).visible_alias(None::<&'static str>);
        *part = named.mut_args(|arg| with_values(arg, is_export, &stated));
    }
    command
}

fn with_values(arg: Arg, is_export: bool, stated: &Stated) -> Arg {
    let id = arg.get_id().as_str();
    // Its only format is another than those of a template.
    if is_export && id == "format" {
        return arg.add(one_of(&["json"]));
    }
    if let Some((_, words)) = WORDS.iter().find(|(name, _)| *name == id) {
        // One that knows its values has the better help.
        return if arg.get_possible_values().is_empty() {
            arg.add(one_of(words))
        } else {
            arg
        };
    }
    if let Some((_, hint)) = PATHS.iter().find(|(name, _)| *name == id) {
        return arg.value_hint(*hint);
    }
    let stated = stated.clone();
    match id {
        "component" => arg.add(looked_up(move || names::of(None, stated.port))),
        "key" | "keys" => arg.add(looked_up(move || match &stated.component {
            Some(component) => names::of(Some(component), stated.port),
            None => Vec::new(),
        })),
        _ => arg,
    }
}

fn one_of(words: &'static [&'static str]) -> ArgValueCompleter {
    looked_up(move || words.iter().map(|word| (*word).to_owned()).collect())
}

fn looked_up(look: impl Fn() -> Vec<String> + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let current = current.to_string_lossy();
        let found = look().into_iter();
        // One that begins as a flag does cannot be typed as it is.
        let found = found.filter(|name| name.starts_with(&*current) && !name.starts_with('-'));
        found.map(CompletionCandidate::new).collect()
    })
}

/// What the words before the current one say already.
#[derive(Clone, Default)]
struct Stated {
    component: Option<String>,
    port: Option<u16>,
}

impl Stated {
    fn in_words(words: &[String]) -> Stated {
        let command = Cli::command().ignore_errors(true);
        let Ok(matches) = command.try_get_matches_from(words) else {
            return Stated::default();
        };
        let given = matches.subcommand().map_or(&matches, |(_, given)| given);
        Stated {
            component: stated::<String>(given, "component"),
            port: stated(given, "port").or_else(|| stated(&matches, "port")),
        }
    }
}

fn stated<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Option<T> {
    matches.try_get_one(name).ok().flatten().cloned()
}
