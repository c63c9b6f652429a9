//! What a project declares: for each kind of command the one that a colleague would name.

use std::os::unix::fs::MetadataExt;

use nudge::FoundCommand;

use super::files::Look;
use super::folder::join;
use super::manifest::is_plain;
use super::runner::RUNNERS;
use super::tools::{Form, forms};
use super::{has, tox};

/// The kinds, each before the names that say it outright, the best first.
const KINDS: [&str; 7] = [
    "build: build compile dist all",
    "test: test tests check unit test:unit test-unit unit-test test:ci",
    "lint: lint lint:check lint-check lint:ci eslint style clippy vet",
    "format: format:check format-check fmt:check fmt-check check:format check-format check-fmt \
     prettier:check format fmt prettier",
    "typecheck: typecheck type-check check-types check:types types:check test:types tsc types \
     typing mypy pyright",
    "run: dev start serve run",
    "install: setup bootstrap deps",
];

/// Words in a name of what goes on for ever, changes what is there, or is for another end.
const NOT_OFFERED: &str = "watch fix write update debug ui open docs doc release publish deploy \
    clean bench install uninstall pre post prepare all snapshot inspect";

/// Folders of scripts.
const SCRIPTS: [&str; 3] = ["scripts", "script", "bin"];

/// How good an offer is, the smallest being the best: how it was found, by which runner, and
/// how well it is named.
type Rank = (usize, usize, usize);

/// What the manifests of a folder declare: at most one command of each kind.
pub(super) fn found(look: &Look<'_>, folder: &str) -> Vec<FoundCommand> {
    let mut all = declared(look, folder);
    all.extend(scripts(look, folder));
    let forms = forms(look, folder).into_iter().enumerate();
    all.extend(forms.map(|(number, form)| ((3, number, 0), form)));
    all.sort_by_key(|(rank, _)| *rank);
    let best = |kind: &str| {
        let (_, first) = all.iter().find(|(_, form)| form.0 == kind)?;
        Some(FoundCommand::new(folder, kind, &first.1, &first.2))
    };
    kinds().filter_map(|(kind, _)| best(kind)).collect()
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
fn declared(look: &Look<'_>, folder: &str) -> Vec<(Rank, Form)> {
    let mut all = Vec::new();
    for (number, runner) in RUNNERS.iter().enumerate() {
        let Some((path, manifest)) = runner.manifest(look, folder) else {
            continue;
        };
        let from = path.rsplit('/').next().unwrap_or_default();
        // What lies in a folder above is declared there.
        if join(folder, from) != path {
            continue;
        }
        let call = runner.call(look, folder);
        let known = manifest.names.iter().filter(|known| !known.is_idle);
        let names = known.filter_map(|known| known.name.strip_prefix(runner.beginning));
        for name in names.filter(|name| is_plain(name)) {
            let command = runner.command(&call, name);
            let said = exact(name).into_iter();
            let mut ranked: Vec<_> = said.map(|(at, kind)| ((0, number, at), kind)).collect();
            // That of one Python may not be there, where all of them are `tox`.
            let is_made_up = runner.program() == "tox" && tox::is_made_up(name);
            if ranked.is_empty() && is_offered(name) && !is_made_up {
                let kind = nudge::kind_of_command(&command);
                ranked.extend(kind.map(|kind| ((tier(name, kind), number, name.len()), kind)));
            }
            // An environment that is called `dev` runs nothing.
            let is_environment = has("tox nox", runner.program());
            ranked.retain(|(_, kind)| *kind != "run" || !is_environment);
            let form = |(rank, kind)| (rank, (kind, command.clone(), from.to_owned()));
            all.extend(ranked.into_iter().map(form));
        }
    }
    all
}

/// A name that goes on after its kind, as `test:ci`, is before what a tool does by itself; one
/// that begins with something else, as `docs:build`, is about that.
fn tier(name: &str, kind: &str) -> usize {
    let first = name.split([':', '-', '_', '.']).next().unwrap_or(name);
    let is_first = exact(first).iter().any(|(_, said)| *said == kind);
    if is_first { 2 } else { 4 }
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
                if seen.is_file() && seen.mode() & 0o111 != 0 {
                    let path = join(place, &name);
                    all.push(((1, 0, at), (kind, path.clone(), path)));
                }
            }
        }
    }
    all
}
