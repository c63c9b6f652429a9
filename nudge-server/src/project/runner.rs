//! `Runner`: a program that runs what a manifest declares by name.

use std::sync::Arc;

use super::ecosystem::{self, python_runner};
use super::files::{Look, Reader};
use super::folder::{join, up};
use super::manifest::Manifest;
use super::{has, just, make, nox, npm, pyproject as py, taskfile, tox};

pub(super) struct Runner {
    /// The command up to the name; the package managers have their own ways.
    call: &'static str,
    /// Its manifests; the first that is there counts.
    files: &'static [&'static str],
    read: Reader,
    /// What stands before a name in an anchor.
    pub(super) beginning: &'static str,
    /// The language that it is of; empty for one that serves all.
    pub(super) language: &'static str,
}

type Str = &'static str;

const fn runner(
    (call, language): (Str, Str),
    files: &'static [Str],
    read: Reader,
    beginning: Str,
) -> Runner {
    Runner {
        call,
        files,
        read,
        beginning,
        language,
    }
}

/// The runners, those that people turn to first in front.
pub(super) const RUNNERS: [Runner; 12] = [
    runner(("npm", "js"), &[npm::FILE], npm::read, npm::SCRIPTS),
    runner(
        ("composer", "php"),
        &[npm::COMPOSER],
        npm::read,
        npm::SCRIPTS,
    ),
    runner(("make", ""), &make::FILES, make::read, ""),
    runner(("just", ""), &just::FILES, just::read, ""),
    runner(("task", ""), &taskfile::FILES, taskfile::read, ""),
    runner(("mise run", ""), &py::MISE_FILES, py::read_mise, py::MISE),
    runner(("tox -e", "python"), &tox::FILES, tox::read, tox::ENV),
    runner(("tox -e", "python"), &[py::FILE], py::read, tox::ENV),
    runner(("nox -s", "python"), &[nox::FILE], nox::read, ""),
    runner(("poe", "python"), &[py::FILE], py::read, py::POE),
    runner(("pdm run", "python"), &[py::FILE], py::read, py::PDM),
    runner(("hatch run", "python"), &[py::FILE], py::read, py::HATCH),
];

/// Runners that also take the manifest of a folder above.
const CLIMBING: &str = "npm just task mise";

/// Files that are also there for others than a runner.
const SHARED: [&str; 2] = ["setup.cfg", py::FILE];

impl Runner {
    /// The runners of a program; all package managers are one.
    pub(super) fn of(program: &str) -> impl Iterator<Item = &'static Runner> {
        let program = match program {
            "pnpm" | "yarn" | "bun" => "npm",
            "gmake" => "make",
            program => program,
        };
        let all = RUNNERS.iter();
        all.filter(move |runner| runner.program() == program)
    }

    pub(super) fn program(&self) -> &'static str {
        self.call.split(' ').next().unwrap_or_default()
    }

    /// Its manifest for a folder, after the path of it.
    pub(super) fn manifest(&self, look: &Look<'_>, at: &str) -> Option<(String, Arc<Manifest>)> {
        let climbs = has(CLIMBING, self.program());
        let folders = up(at).take_while(|folder| climbs || *folder == at);
        let paths = folders.flat_map(|at| self.files.iter().map(|file| join(at, file)));
        for path in paths.filter(|path| look.is_file(path)) {
            let manifest = look.manifest(&path, self.read);
            let is_shared = SHARED.iter().any(|file| path.ends_with(file));
            let mut names = manifest.iter().flat_map(|manifest| &manifest.names);
            if !is_shared || names.any(|known| known.name.starts_with(self.beginning)) {
                return Some((path, manifest?));
            }
        }
        None
    }

    /// How it is called in a folder, up to the name.
    pub(super) fn call(&self, look: &Look<'_>, folder: &str) -> String {
        match self.call {
            "npm" => npm::manager(look, folder).0.to_owned(),
            "poe" => python_runner(look, folder).to_owned() + self.call,
            call => call.to_owned(),
        }
    }

    pub(super) fn command(&self, call: &str, name: &str) -> String {
        match self.call {
            "npm" => npm::run(call, name),
            _ => format!("{call} {name}"),
        }
    }
}

pub(super) fn reader(path: &str) -> Option<Reader> {
    let name = path.rsplit('/').next()?;
    let mut all = RUNNERS.iter();
    let runner = all.find(|runner| runner.files.contains(&name))?;
    Some(runner.read)
}

/// The files by which a folder is known as one that people build or test in.
pub(super) fn manifests() -> impl Iterator<Item = &'static str> {
    let own = RUNNERS.iter().flat_map(|runner| runner.files).copied();
    let own = own.filter(|file| *file != "setup.cfg");
    own.chain(ecosystem::manifests())
}
