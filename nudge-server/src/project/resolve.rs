//! What a command names in a project: a script, a target, a recipe, a file.

use nudge::AnchorState;

use super::files::Look;
use super::folder::{join, moved};
use super::manifest::is_plain;
use super::runner::Runner;
use super::{anchor, has, npm};

/// Programs and words that start another program.
const WRAPPERS: &str = "uv poetry pipenv rye run uvx pipx npx env sudo time bash sh node python \
    python3 -m";

/// Programs whose names are words, so that what goes on after them may be a sentence.
const WORDS: &str = "make just task";

/// Flags by which a command speaks about another manifest than the one at hand.
const ELSEWHERE: &str = "-w --workspace --workspaces -ws -r --recursive -F --filter -g --global \
    -f --file --makefile -I -o -W -t --taskfile -c --conf --justfile -d --noxfile --root";

/// Flags that say in which folder a program is to work.
const FOLDERS: &str = "-C --directory --prefix --dir --cwd";

/// Flags by which tox is told an environment, and nox a session.
const NAMES: &str = "-e -s --session --sessions";

/// What became of what a command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// It is there.
    Holds,
    /// The manifest is there, and the name is not.
    Gone {
        /// The name.
        name: String,
        /// The manifest, from the root.
        from: String,
        /// The name that is most like it, if one is.
        near: Option<String>,
    },
    /// Nobody can tell.
    Unknown,
}

/// What a command rests on: a file from the root and the name in it, or the file alone.
#[derive(Debug, PartialEq)]
pub(super) struct Reference {
    pub(super) file: String,
    pub(super) name: Option<String>,
    /// Whether it can mean nothing else, such as a program of that name.
    is_sure: bool,
}

/// Finds out whether what a command names is still there.
pub(super) fn resolve(look: &Look<'_>, folder: &str, command: &str) -> Resolution {
    let references = references(look, folder, command);
    let mut resolution = Resolution::Holds;
    if references.is_empty() {
        resolution = Resolution::Unknown;
    }
    for it in references {
        match anchor::state_of(look, &it.file, it.name.as_deref(), None) {
            AnchorState::Holds => {}
            AnchorState::Gone { near } if it.is_sure => {
                let name = it.name.as_deref().map_or(&*it.file, anchor::bare);
                return Resolution::Gone {
                    name: name.to_owned(),
                    from: it.file,
                    near,
                };
            }
            _ => resolution = Resolution::Unknown,
        }
    }
    resolution
}

/// Whether a text may as well be prose, such as "make sure that it runs".
pub(crate) fn is_sentence(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|first| has(WORDS, first)) && words.count() > 2
}

/// What a command that is run in a folder names; nothing where that cannot be told.
pub(super) fn references(look: &Look<'_>, folder: &str, command: &str) -> Vec<Reference> {
    let mut folder = Some(folder.to_owned());
    let mut command = command.trim();
    while let Some(after) = command.strip_prefix("cd ")
        && let Some((to, rest)) = after.split_once("&&")
    {
        folder = folder.and_then(|folder| moved(&folder, to.trim()));
        command = rest.trim();
    }
    let words = nudge::command_words(command).unwrap_or_default();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = folder.and_then(|folder| named(look, &folder, &words));
    found.unwrap_or_default()
}

fn named(look: &Look<'_>, folder: &str, words: &[&str]) -> Option<Vec<Reference>> {
    let start = words.iter().position(|word| !has(WRAPPERS, word))?;
    let (program, rest) = words.get(start..)?.split_first()?;
    let Some(runner) = Runner::of(program).next() else {
        let file = moved(folder, program).filter(|_| program.contains('/'))?;
        // An interpreter may be given what was only just built.
        let (name, is_sure) = (None, start == 0);
        return Some(vec![Reference {
            file,
            name,
            is_sure,
        }]);
    };
    let given = Given::of(runner.program(), rest);
    if given.values(ELSEWHERE).next().is_some() {
        return None;
    }
    let mut folders = given.values(FOLDERS);
    let folder = folders.try_fold(folder.to_owned(), |at, to| moved(&at, to))?;
    let (names, is_sure) = given.names(program)?;
    let mut runners = Runner::of(program);
    let (file, _) = runners.find_map(|runner| runner.manifest(look, &folder))?;
    let reference = |name: &str| {
        // To make, any file is a target.
        let is_file = || name.contains('.') || look.is_there(&join(&folder, name));
        let is_name = is_plain(name) && !name.contains("::");
        is_name.then(|| Reference {
            file: file.clone(),
            name: Some(format!("{}{name}", runner.beginning)),
            is_sure: is_sure && !(runner.program() == "make" && is_file()),
        })
    };
    names.into_iter().map(reference).collect()
}

/// What a program is given up to `--`: flags, each with its value, and other words.
struct Given<'a> {
    flags: Vec<(&'a str, &'a str)>,
    plain: Vec<&'a str>,
    /// How many of the other words come before any flag.
    first: usize,
}

impl<'a> Given<'a> {
    fn of(program: &str, words: &[&'a str]) -> Given<'a> {
        let names = if has("tox nox", program) { NAMES } else { "" };
        let takes = |flag: &str| has(FOLDERS, flag) || has(names, flag);
        let (mut flags, mut plain, mut first) = (Vec::new(), Vec::new(), 0);
        let mut rest = words.iter().copied().take_while(|word| *word != "--");
        while let Some(word) = rest.next() {
            if !word.starts_with('-') {
                plain.push(word);
                first += usize::from(flags.is_empty());
                continue;
            }
            let joined = word.split_at_checked(2).filter(|(flag, _)| takes(flag));
            flags.push(match (word.split_once('='), joined) {
                _ if takes(word) => (word, rest.next().unwrap_or_default()),
                (Some(pair), _) | (_, Some(pair)) => pair,
                _ => (word, ""),
            });
        }
        Given {
            flags,
            plain,
            first,
        }
    }

    fn values<'s>(&'s self, flags: &'s str) -> impl Iterator<Item = &'a str> + 's {
        let asked = self.flags.iter().filter(move |(flag, _)| has(flags, flag));
        asked.map(|(_, value)| *value)
    }

    /// The names that a runner is to run, and whether they can be nothing else.
    fn names(&self, program: &str) -> Option<(Vec<&'a str>, bool)> {
        let first = self.plain.get(..self.first)?;
        let is_setting = |name: &&str| name.contains('=') || name.parse::<u32>().is_ok();
        let names: Vec<&str> = match (program, &self.plain[..]) {
            ("npm" | "pnpm" | "yarn" | "bun", words) => return npm::script(program, words),
            ("make" | "gmake", words) => words.to_vec(),
            ("tox", _) => {
                let said = self.values(NAMES);
                said.flat_map(|names| names.split(',')).collect()
            }
            ("nox", words) => {
                let all = self.values(NAMES).chain(words.iter().copied());
                all.map(without_version).collect()
            }
            // What comes after a flag may be its value, and after a recipe its argument.
            ("task", _) => first.to_vec(),
            ("just" | "poe", _) => first.iter().copied().take(1).collect(),
            (_, ["run" | "r", name, ..]) => return Some((vec![*name], false)),
            _ => return None,
        };
        // What sets a variable may speak to another makefile that is read.
        let is_sure = !names.iter().any(|name| name.contains('='));
        let names = names.into_iter().filter(|name| !is_setting(name));
        Some((names.collect(), is_sure))
    }
}

/// A session without the version or the parameters that nox adds to its name.
fn without_version(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or(name);
    let is_version = |end: &str| end.starts_with(|first: char| first.is_ascii_digit());
    match name.rsplit_once('-') {
        Some((base, end)) if is_version(end.trim_start_matches("py")) => base,
        _ => name,
    }
}
