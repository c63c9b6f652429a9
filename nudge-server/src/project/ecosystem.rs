//! Ecosystems: which languages a folder is in, and what their tools do there.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use super::files::{Counts, Look};
use super::folder::{join, up};
use super::runner::reader;
use super::{has, npm, pyproject};

/// The table; its beginning says how it is written.
const TABLE: &str = include_str!("ecosystems.txt");

/// Folders of what is built or fetched, which are not entered.
const NOT_ENTERED: &str = "node_modules target dist build out";

/// Folders whose files say little about what a project is written in, and how much less.
const APART: &str = "doc docs example examples vendor third_party website site static assets \
    benchmark benchmarks script scripts tools ci samples";
const LESS: usize = 10;

/// What runs a tool of Python in the project's environment, by lock file.
const PYTHON_RUNNERS: [(&str, &str); 4] = [
    ("uv.lock", "uv run "),
    ("poetry.lock", "poetry run "),
    ("pdm.lock", "pdm run "),
    ("Pipfile.lock", "pipenv run "),
];

/// The longest command that is quoted.
const LONGEST: usize = 120;

/// What tests need, as projects of Python call it; and where they say so, up to what.
const EXTRAS: [&str; 4] = ["test", "tests", "testing", "dev"];
const EXTRAS_AT: [(&str, &str, &str); 3] = [
    (pyproject::FILE, "[project.optional-dependencies]", "\n["),
    ("setup.cfg", "[options.extras_require]", "\n["),
    ("setup.py", "extras_require", "}"),
];

/// What runs the tests of Python, and the files of requirements that may list it.
const RUNNER: &str = "pytest";
const REQUIREMENTS: &str = "requirements/test.txt requirements/tests.txt requirements/testing.txt \
    requirements/dev.txt requirements-test.txt requirements-tests.txt requirements-dev.txt \
    test-requirements.txt dev-requirements.txt requirements_test.txt requirements_dev.txt";

pub(super) struct Ecosystem {
    pub(super) name: &'static str,
    endings: &'static str,
    files: &'static str,
    /// Its tools; a target that runs none of them is about something else.
    pub(super) programs: &'static str,
    /// A kind, conditions, and the command where all of them hold.
    rows: Vec<[&'static str; 3]>,
}

/// A kind of command, a command, and the file that speaks for it.
pub(super) type Form = (&'static str, String, String);

static ECOSYSTEMS: LazyLock<Vec<Ecosystem>> = LazyLock::new(|| {
    let mut all: Vec<Ecosystem> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let head = line
            .strip_prefix('[')
            .and_then(|line| line.split_once("] "));
        if let Some((name, rest)) = head
            && let Some((endings, files)) = rest.split_once(" : ")
        {
            let (files, programs) = files.split_once(" : ").unwrap_or((files, ""));
            let rows = Vec::new();
            all.push(Ecosystem {
                name,
                endings,
                files,
                programs,
                rows,
            });
        } else if let (Some(last), Some((kind, rest))) = (all.last_mut(), line.split_once(" : "))
            && let Some((conditions, command)) = rest.rsplit_once(" : ")
        {
            last.rows.push([kind, conditions, command]);
        }
    }
    all
});

/// The files by which a folder below the root is known as one that people build or test in.
pub(super) fn manifests() -> impl Iterator<Item = &'static str> {
    let files = ECOSYSTEMS.iter().flat_map(|one| one.files.split(' '));
    files.filter(|file| !file.contains(['!', '*']))
}

/// What a tool of Python is called with in a folder: `uv run ` and the like, or nothing.
pub(super) fn python_runner(look: &Look<'_>, folder: &str) -> &'static str {
    let is_here = |at: &str, lock: &str| look.is_file(&join(at, lock));
    let find = |at: &str| PYTHON_RUNNERS.iter().find(|(lock, _)| is_here(at, lock));
    up(folder).find_map(find).map_or("", |(_, runner)| runner)
}

/// A folder that is looked at, with what was read of it: conditions ask for the same again.
pub(super) struct Place<'a> {
    pub(super) look: &'a Look<'a>,
    folder: &'a str,
    texts: RefCell<HashMap<String, Rc<str>>>,
    lists: RefCell<HashMap<String, Rc<[String]>>>,
}

impl<'a> Place<'a> {
    pub(super) fn new(look: &'a Look<'a>, folder: &'a str) -> Place<'a> {
        let (texts, lists) = Default::default();
        Place {
            look,
            folder,
            texts,
            lists,
        }
    }

    /// The languages that have a manifest here, the one with most files first. They are counted
    /// only where there is a choice: one manifest decides without a walk.
    pub(super) fn languages(&self) -> Vec<&'static Ecosystem> {
        let is_here = |one: &&Ecosystem| {
            let mut files = one.files.split(' ').map(|file| file.trim_end_matches('!'));
            files.any(|file| self.path(file).is_some())
        };
        let mut all: Vec<&Ecosystem> = ECOSYSTEMS.iter().filter(is_here).collect();
        if all.len() > 1 {
            let counts = self.look.counted(self.folder, || self.count());
            let count = |one: &&Ecosystem| {
                let endings = one.endings.split(' ').filter_map(|it| counts.get(it));
                std::cmp::Reverse(endings.sum::<usize>())
            };
            all.sort_by_key(count);
        }
        all
    }

    /// How many files there are of each language, those that say little counted as less.
    fn count(&self) -> Counts {
        let endings = ECOSYSTEMS.iter().flat_map(|one| one.endings.split(' '));
        let mut counts: HashMap<&str, usize> = endings.map(|ending| (ending, 0)).collect();
        self.look.walk(self.folder, NOT_ENTERED, |folder, names| {
            let is_apart = folder.split('/').any(|part| has(APART, part));
            for name in names {
                let ending = name.rsplit_once('.').map(|(_, ending)| ending);
                if let Some(count) = ending.and_then(|ending| counts.get_mut(ending)) {
                    *count += if is_apart { 1 } else { LESS };
                }
            }
        });
        Arc::new(counts)
    }

    /// What the tools of a language do here, the best first; and whether that stands behind what
    /// is declared by name.
    pub(super) fn forms(&self, language: &Ecosystem) -> Vec<(bool, Form)> {
        let rows = language
            .rows
            .iter()
            .filter_map(|[kind, conditions, command]| {
                let conditions = conditions.split(' ');
                let from: Option<Vec<String>> = conditions.map(|one| self.holds(one)).collect();
                let from = from?.into_iter().next()?;
                let from = from.rsplit('/').next().unwrap_or_default().to_owned();
                let is_last = kind.ends_with('?');
                let kind = kind.trim_end_matches('?');
                Some((is_last, (kind, self.filled(command), from)))
            });
        rows.collect()
    }

    /// Whether a command of a file has only plain words and is of one of some kinds.
    pub(super) fn is_step(&self, command: &str, kinds: &str) -> bool {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./:@%+,=- ".contains(&byte);
        let is_plain = command.len() <= LONGEST && command.bytes().all(is_plain);
        let kind = self.look.kind_of(command).filter(|_| is_plain);
        kind.is_some_and(|kind| has(kinds, kind))
    }

    /// Whether one of some alternatives holds, and then the file that says so.
    fn holds(&self, alternatives: &str) -> Option<String> {
        alternatives.split('|').find_map(|one| {
            if let Some(tool) = one.strip_prefix('@') {
                return self.declares(tool).map(str::to_owned);
            }
            let Some((file, texts)) = one.split_once('~') else {
                return self.path(one);
            };
            let is_said = |path: &String| {
                let text = self.text(path);
                texts.split(',').any(|wanted| text.contains(wanted))
            };
            self.paths(file).into_iter().find(is_said)
        })
    }

    /// The manifest of Python that declares a tool.
    fn declares(&self, tool: &str) -> Option<&'static str> {
        let files = [pyproject::FILE, "setup.cfg", "tox.ini"];
        files.into_iter().find(|file| {
            let read = |read| self.look.manifest(&join(self.folder, file), read);
            let manifest = reader(file).and_then(read);
            manifest.is_some_and(|manifest| manifest.tools.iter().any(|known| known == tool))
        })
    }

    /// The first file or folder of a name.
    fn path(&self, pattern: &str) -> Option<String> {
        let is_there = |path: &String| match path.strip_suffix('/') {
            Some(folder) => self
                .look
                .seen(folder)
                .is_some_and(|(_, seen)| seen.is_dir()),
            None => self.look.is_file(path),
        };
        self.paths(pattern).into_iter().find(is_there)
    }

    /// The paths from the root that a name with stars may mean.
    fn paths(&self, pattern: &str) -> Vec<String> {
        let mut found = vec![self.folder.to_owned()];
        for part in pattern.split('/') {
            let Some((start, end)) = part.split_once('*') else {
                found = found.iter().map(|at| join(at, part)).collect();
                continue;
            };
            let end = end.trim_end_matches('*');
            let below = |at: &String| {
                let names = self.names(at);
                let fits = |name: &&String| {
                    let rest = name.strip_prefix(start).filter(|_| !name.starts_with('.'));
                    let is_open = part.ends_with('*');
                    rest.is_some_and(|rest| rest.ends_with(end) || is_open && rest.contains(end))
                };
                let names = names.iter().filter(fits);
                names.map(|name| join(at, name)).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(below).collect();
        }
        found
    }

    fn names(&self, folder: &str) -> Rc<[String]> {
        let known = self.lists.borrow().get(folder).cloned();
        known.unwrap_or_else(|| {
            let entries = self.look.entries(folder).unwrap_or_default().into_iter();
            let names: Rc<[String]> = entries.map(|(name, _)| name).collect();
            let mut lists = self.lists.borrow_mut();
            lists.insert(folder.to_owned(), Rc::clone(&names));
            names
        })
    }

    /// The text of a file without its comments, in which anybody may claim anything; empty where
    /// it cannot be read.
    pub(super) fn text(&self, path: &str) -> Rc<str> {
        let known = self.texts.borrow().get(path).cloned();
        known.unwrap_or_else(|| {
            let text = self.look.text(path).unwrap_or_default();
            // In Python, texts of three quotes are mostly remarks.
            let is_python = path.rsplit('.').next() == Some("py");
            let parts = text.split("\"\"\"").step_by(if is_python { 2 } else { 1 });
            let lines = parts.flat_map(str::lines);
            let text: String = lines.flat_map(|line| [code(line), "\n"]).collect();
            let text: Rc<str> = text.into();
            let mut texts = self.texts.borrow_mut();
            texts.insert(path.to_owned(), Rc::clone(&text));
            text
        })
    }

    /// A command with what the project decides about it.
    fn filled(&self, command: &str) -> String {
        let Some((before, rest)) = command.split_once('{') else {
            return command.to_owned();
        };
        let (name, after) = rest.split_once('}').unwrap_or((rest, ""));
        let (manager, lock) = npm::manager(self.look, self.folder);
        let value = match name {
            "py" => python_runner(self.look, self.folder).to_owned(),
            "extra" => self.extra(),
            "ci" if manager == "npm" && lock.is_some() => "npm ci".to_owned(),
            "ci" => format!("{manager} install"),
            _ => manager.to_owned(),
        };
        format!("{before}{value}{}", self.filled(after))
    }

    /// What is installed beside a package so that its tests run: an extra with a usual name, else
    /// one that lists their runner, else a file of requirements that does.
    fn extra(&self) -> String {
        let parts = EXTRAS_AT.map(|(file, start, end)| {
            let text = self.text(&join(self.folder, file));
            let part = text.split_once(start).map_or("", |(_, rest)| rest);
            part.split(end).next().unwrap_or_default().to_owned()
        });
        let mut lists: Vec<(&str, bool)> = Vec::new();
        for line in parts.iter().flat_map(|text| text.lines()) {
            let named = line.split_once(['=', ':']).map(|(name, _)| name);
            let name = named.map(|name| name.trim().trim_matches(['"', '\'']));
            let is_name = |name: &&str| name.chars().all(|it| it.is_alphanumeric() || it == '-');
            lists.extend(name.filter(is_name).map(|name| (name, false)));
            if let Some(last) = lists.last_mut().filter(|_| line.contains(RUNNER)) {
                last.1 = true;
            }
        }
        let usual = EXTRAS.into_iter().find_map(|extra| {
            let mut lists = lists.iter();
            lists.find(|(name, _)| *name == extra)
        });
        let listing = || lists.iter().find(|(_, lists_it)| *lists_it);
        if let Some((name, _)) = usual.or_else(listing) {
            return format!("[{name}]");
        }
        let mut files = REQUIREMENTS.split(' ').flat_map(|file| self.paths(file));
        let file = files.find(|path| self.text(path).contains(RUNNER));
        let below = file.as_ref().map(|path| path.strip_prefix(self.folder));
        let below = below.flatten().map(|path| path.trim_start_matches('/'));
        below.map_or_else(String::new, |path| format!(" -r {path}"))
    }
}

/// A line without a comment.
fn code(line: &str) -> &str {
    if line.trim_start().starts_with(['#', ';']) || line.trim_start().starts_with("//") {
        return "";
    }
    let code = line.split(" #").next().unwrap_or_default();
    code.split(" //").next().unwrap_or_default()
}
