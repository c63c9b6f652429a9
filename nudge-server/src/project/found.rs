//! What a project declares: for each kind of command the one that a colleague would name.

use std::sync::Arc;

use nudge::FoundCommand;
use nudge_client::platform::mode;

use super::ecosystem::{Ecosystem, Form, Place};
use super::files::Look;
use super::folder::join;
use super::manifest::{Manifest, is_plain};
use super::runner::{RUNNERS, Runner};
use super::workflow::commands;
use super::{has, setup, tox};

/// The kinds, each before the names that say it outright, the best first.
const KINDS: [&str; 8] = [
    "build: build compile all dist",
    "test: test tests check unit test:unit test-unit unit-test test:ci",
    "lint: lint lint:check lint-check lint:ci eslint style clippy vet",
    "format: format:check format-check fmt:check fmt-check check:format check-format check-fmt \
     prettier:check format fmt prettier",
    "typecheck: typecheck type-check check-types check:types types:check test:types tsc types \
     typing mypy pyright",
    "run: dev start serve run",
    "install: deps bootstrap",
    "setup: setup",
];

/// Names of tests that say no more than that.
const PLAIN: &str = "test tests check";

/// Words in a name of what goes on for ever, changes what is there, or is for another end.
const NOT_OFFERED: &str = "watch fix write update debug ui open docs doc release publish deploy \
    clean bench install uninstall pre post prepare all snapshot inspect";

/// The longest line of a workflow that is offered.
const LONGEST: usize = 120;

/// Folders of scripts; those at the top are named with what finds them there.
const SCRIPTS: [&str; 4] = ["scripts", "script", "bin", ""];

/// How good an offer is, the smallest being the best: by its language, how it was found, by
/// which runner or row, and how well it is named.
type Rank = (usize, Tier, usize, usize);

/// How an offer was found, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// By a name that says the kind, in a manifest of the language; in one that serves all.
    Own,
    Shared,
    /// By a name with a suffix that is as good, or an executable that is named for the kind.
    Named,
    /// What the language's own tool does.
    Tool,
    /// Names that are behind the tool: of what only runs it again, or where its lock file says
    /// more.
    Behind,
    /// A name that goes on after its kind, as `test:ci`; one that begins with something else, as
    /// `docs:build`, is about that.
    Longer,
    Other,
}

/// What the manifests of a folder declare: at most one command of each kind.
pub(super) fn found(look: &Look<'_>, folder: &str) -> Vec<FoundCommand> {
    // What is read comes first: a look has an end, and to tell kinds takes its time.
    let manifests = RUNNERS.iter().map(|runner| runner.manifest(look, folder));
    let manifests: Vec<_> = manifests.collect();
    let place = Place::new(look, folder);
    let languages = place.languages();
    let mut all = scripts(look, folder);
    for (at, language) in languages.iter().enumerate() {
        let forms = place.forms(language).into_iter().enumerate();
        all.extend(forms.map(|(number, (is_last, form))| {
            let tier = if is_last { Tier::Longer } else { Tier::Tool };
            ((at, tier, number, 0), form)
        }));
    }
    all.extend(declared((look, folder), manifests, &languages));
    // What a second language needs or makes is not what the project does.
    all.retain(|((at, ..), (kind, ..))| *at == 0 || !has("build install setup", kind));
    all.sort_by_key(|(rank, _)| *rank);
    let lines = commands(look, folder);
    let best = |kind: &str| {
        let mut of_kind = all.iter().filter(|(_, form)| form.0 == kind).peekable();
        let ((_, tier, ..), first) = of_kind.peek()?;
        // CI decides between several, but not for `test:ci` where there is a plain name or a tool.
        let mut several = of_kind.filter(|(rank, _)| rank.1 < Tier::Longer || rank.1 == *tier);
        let run = several.find_map(|(_, form)| Some((as_run(&form.1, &lines)?, &form.2)));
        let (command, from) = run.unwrap_or((&first.1, &first.2));
        Some(FoundCommand::new(folder, kind, command, from))
    };
    let mut found: Vec<FoundCommand> = kinds().filter_map(|(kind, _)| best(kind)).collect();
    // A clone is made ready as a whole.
    if folder.is_empty() {
        setup::add(&place, &mut found);
    }
    found
}

/// The kinds, each with the names that say it outright.
fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    KINDS.iter().filter_map(|kind| kind.split_once(": "))
}

/// The kinds that a name says outright, and how well.
fn exact(name: &str) -> Vec<(usize, &'static str)> {
    let place = |names: &str| names.split_whitespace().position(|exact| exact == name);
    kinds()
        .filter_map(|(kind, names)| Some((place(names)?, kind)))
        .collect()
}

/// What the manifests of a folder declare by name.
fn declared(
    (look, folder): (&Look<'_>, &str),
    manifests: Vec<Option<(String, Arc<Manifest>)>>,
    languages: &[&Ecosystem],
) -> Vec<(Rank, Form)> {
    let mut all = Vec::new();
    for (number, (runner, manifest)) in RUNNERS.iter().zip(manifests).enumerate() {
        let Some((path, manifest)) = manifest else {
            continue;
        };
        let from = path.rsplit('/').next().unwrap_or_default();
        // What lies in a folder above is declared there.
        if join(folder, from) != path {
            continue;
        }
        let mut known = languages.iter();
        let place = known.position(|language| language.name == runner.language);
        let place = match runner.language {
            "" => 0,
            _ => place.unwrap_or(languages.len()),
        };
        let call = runner.call(look, folder);
        let known = manifest.names.iter().filter(|known| !known.is_idle);
        let names = known.filter_map(|known| known.name.strip_prefix(runner.beginning));
        for name in names.filter(|name| is_plain(name)) {
            let command = runner.command(&call, name);
            let said = exact(name).into_iter();
            let mut ranked: Vec<_> = said
                .map(|(at, kind)| (tier((runner, &manifest), languages, (kind, name)), at, kind))
                .collect();
            // That of one Python may not be there, where all of them are `tox`.
            let is_made_up = runner.program() == "tox" && tox::is_made_up(name);
            if ranked.is_empty() && is_offered(name) && !is_made_up {
                let kind = look.kind_of(&command);
                ranked.extend(kind.map(|kind| (longer(name, kind), name.len(), kind)));
            }
            // An environment that is called `dev` runs nothing.
            let is_environment = has("tox nox", runner.program());
            ranked.retain(|(_, _, kind)| *kind != "run" || !is_environment);
            let form = |(tier, at, kind)| {
                let rank = (place, tier, number, at);
                (rank, (kind, command.clone(), from.to_owned()))
            };
            all.extend(ranked.into_iter().map(form));
        }
    }
    all
}

/// Where a name stands that says a kind outright. A plain one is before the language's own tool,
/// one with a suffix behind it; but a script of a package knows how its runner is called.
fn tier(
    (runner, manifest): (&Runner, &Manifest),
    languages: &[&Ecosystem],
    (kind, name): (&str, &str),
) -> Tier {
    let (first, programs) = languages
        .first()
        .map_or(("", ""), |first| (first.name, first.programs));
    let (is_python, is_own) = (first == "python", !runner.language.is_empty());
    // What runs something else than the language's tool is about something else.
    let is_elsewhere = || !programs.is_empty() && !manifest.runs(name, programs);
    match kind {
        "test" if is_own && name == "check" => Tier::Longer,
        "test" if !has(PLAIN, name) && runner.language == "js" => Tier::Named,
        "test" if !has(PLAIN, name) => Tier::Longer,
        "test" if is_python && !has("poe pdm hatch", runner.program()) => Tier::Behind,
        "install" if is_own || is_python || first == "js" => Tier::Behind,
        "test" | "install" if !is_own && is_elsewhere() => Tier::Behind,
        _ if is_own => Tier::Own,
        _ => Tier::Shared,
    }
}

fn longer(name: &str, kind: &str) -> Tier {
    let first = name.split([':', '-', '_', '.']).next().unwrap_or(name);
    let is_first = exact(first).iter().any(|(_, said)| *said == kind);
    if is_first { Tier::Longer } else { Tier::Other }
}

fn is_offered(name: &str) -> bool {
    let mut words = name.split([':', '-', '_', '.']);
    !words.any(|word| has(NOT_OFFERED, word))
}

/// Files that can be executed and are named for a kind.
fn scripts(look: &Look<'_>, folder: &str) -> Vec<(Rank, Form)> {
    let mut all = Vec::new();
    for place in SCRIPTS {
        let entries = look.entries(&join(folder, place)).unwrap_or_default();
        for (name, seen) in entries.into_iter().filter(|(name, _)| is_plain(name)) {
            let stem = name.split('.').next().unwrap_or_default();
            for (at, kind) in exact(stem) {
                if seen.is_file() && mode(&seen) & 0o111 != 0 {
                    let path = join(if place.is_empty() { "." } else { place }, &name);
                    let is_behind = has("test build install", kind);
                    let tier = if is_behind { Tier::Behind } else { Tier::Named };
                    all.push(((0, tier, 0, at), (kind, path.clone(), path)));
                }
            }
        }
    }
    all
}

/// How a workflow runs a command: with plain flags, also after `--`, where a short one may
/// have a value. Anything else would make another command of it, or free text.
pub(super) fn as_run<'a>(command: &str, lines: &'a [String]) -> Option<&'a str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":_./=@,+- ".contains(&byte);
    let is_same = |line: &str| {
        let wanted = without_run(command);
        let mut wanted = wanted.iter().peekable();
        let (mut is_after, mut is_short) = (false, false);
        let is_with_flags = without_run(line).iter().all(|word| {
            let is_known = wanted.next_if_eq(&word).is_some();
            let is_value = is_after && is_short;
            is_after |= *word == "--" && wanted.peek().is_none();
            is_short = word.len() == 2 && word.starts_with('-') && *word != "--";
            is_known || is_value || word.starts_with('-')
        });
        is_with_flags && wanted.peek().is_none()
    };
    let lines = lines.iter().map(String::as_str);
    let lines = lines.filter(|line| line.len() <= LONGEST && line.bytes().all(is_plain));
    lines
        .filter(|line| is_same(line))
        .min_by_key(|line| line.len())
}

/// The words of a command, without a `run` that a package manager does not need.
fn without_run(command: &str) -> Vec<&str> {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    if let ["npm" | "pnpm" | "yarn" | "bun", "run", _, ..] = words[..] {
        words.remove(1);
    }
    words
}
