//! `Step`: which step of a project's life a command takes, and a key names.

/// A step that every project has in one form or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Build,
    Test,
    Lint,
    Format,
    Run,
    Install,
    Deploy,
    Migrate,
}

use super::programs::PROGRAMS;
use Step::{Build, Deploy, Format, Install, Lint, Migrate, Run, Test};

/// The words that name a step, as keys, targets and scripts have them. The first
/// of each is the key under which something new is proposed.
const NAMES: [(Step, &str); 8] = [
    (Build, "build compile"),
    (Test, "test tests"),
    (Lint, "lint typecheck"),
    (Format, "format fmt"),
    (Run, "run start dev serve"),
    (Install, "install setup deps bootstrap"),
    (Deploy, "deploy"),
    (Migrate, "migrate migration migrations"),
];

/// Words in front of a program that change where or how it runs, and not what it does.
const WRAPPERS: &str = "sudo time nice nohup env command exec timeout npx bunx pnpx";

/// The same, of two words.
const TWO_WORDS: &str = "uv-run poetry-run pipenv-run pdm-run hatch-run rye-run bundle-exec pnpm-exec npm-exec yarn-exec";

/// Programs that run a script or a module.
const INTERPRETERS: &str = "python python3 node ruby perl php bash sh zsh deno";

/// Flags whose value is the next word.
const WITH_VALUE: &str = "-C -f -p --directory --prefix --cwd --manifest-path --filter --package --project --file --profile --features --target";

/// The managers of packages, whose `run` may be left out.
const MANAGERS: &str = "npm pnpm yarn bun";

impl Step {
    /// The word for it, as a key.
    pub(crate) fn name(self) -> &'static str {
        let names = self.names();
        names.split(' ').next().unwrap_or(names)
    }

    /// All words for it.
    pub(crate) fn names(self) -> &'static str {
        let known = NAMES.iter().find(|(step, _)| *step == self);
        known.map_or("", |(_, names)| names)
    }

    /// The step that a hint's key names by its first part: `test`, `test.unit`.
    pub(crate) fn of_key(key: &str) -> Option<Step> {
        let first = key.split(['.', '-', '_', ':', '/']).next()?;
        step_named(&first.to_ascii_lowercase())
    }

    /// The step that a command takes, by its words without variables.
    pub(crate) fn of(words: &[String]) -> Option<Step> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = unwrapped(&words);
        let (first, rest) = words.split_first()?;
        let name = base(first);
        if has(INTERPRETERS, name) {
            return interpreted(rest);
        }
        let known = PROGRAMS.iter().find(|program| has(program.names, name));
        let Some(known) = known else {
            let is_script = first.contains('/') || name.split('.').nth(1) == Some("sh");
            return is_script.then(|| of_script(name)).flatten();
        };
        let word = subcommand(name, rest);
        if adds_packages(name, word.as_deref(), rest) {
            return None;
        }
        let Some(word) = word else {
            return known.alone;
        };
        let given = known.given.iter().find(|(words, _)| has(words, &word));
        let by_name = || known.by_name.then(|| Step::of_key(&word)).flatten();
        given.map(|(_, step)| *step).or_else(by_name).or_else(|| {
            // A program that does one thing takes files where others take subcommands.
            known.alone.filter(|_| known.given.is_empty())
        })
    }
}

/// What makes two commands of the same program different ones: the subcommand or
/// target, where the program has any. `run` of a package manager is none.
pub(crate) fn subcommand_of(words: &[String]) -> Option<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (first, rest) = words.split_first()?;
    let name = base(first);
    if has(INTERPRETERS, name) {
        let module = rest.iter().position(|word| *word == "-m");
        let script = module.map_or(0, |at| at + 1);
        return rest.get(script).map(|word| (*word).to_owned());
    }
    let known = PROGRAMS.iter().find(|program| has(program.names, name))?;
    let takes = known.by_name || !known.given.is_empty();
    takes.then(|| subcommand(name, rest)).flatten()
}

/// A program's name without its folder.
pub(crate) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

fn step_named(word: &str) -> Option<Step> {
    let known = NAMES.iter().find(|(_, names)| has(names, word));
    known.map(|(step, _)| *step)
}

/// The words from the program on that does the work.
fn unwrapped<'a, 'w>(mut words: &'a [&'w str]) -> &'a [&'w str] {
    let is_setting = |word: &&&str| {
        let number = word.starts_with(|letter: char| letter.is_ascii_digit());
        word.starts_with('-') || word.contains('=') || number
    };
    loop {
        let count = match words {
            [first, second, ..] if has(TWO_WORDS, &format!("{first}-{second}")) => 2,
            [first, _, ..] if has(WRAPPERS, first) => 1,
            _ => return words,
        };
        let rest = words.get(count..).unwrap_or_default();
        let skipped = rest.iter().take_while(is_setting).count();
        words = rest.get(skipped..).unwrap_or_default();
    }
}

/// The step of what an interpreter runs.
fn interpreted(words: &[&str]) -> Option<Step> {
    if let Some(at) = words.iter().position(|word| *word == "-m") {
        let rest = words.get(at + 1..)?;
        return Step::of(
            &rest
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>(),
        );
    }
    let at = words.iter().position(|word| !word.starts_with('-'))?;
    if words
        .get(..at)?
        .iter()
        .any(|flag| flag.contains(['c', 'e']))
    {
        return None;
    }
    let name = base(words.get(at)?);
    if name == "manage.py" {
        let rest = words.get(at + 1..)?;
        let given = PROGRAMS.iter().find(|program| program.names == name)?.given;
        let first = rest.first()?;
        return given
            .iter()
            .find(|(words, _)| has(words, first))
            .map(|(_, step)| *step);
    }
    of_script(name)
}

/// The step of a script by its name: that of the word that is not `run`, if there is one.
fn of_script(name: &str) -> Option<Step> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let steps: Vec<Step> = words
        .filter_map(|word| step_named(&word.to_ascii_lowercase()))
        .collect();
    let other = steps.iter().find(|step| **step != Run);
    other.or(steps.first()).copied()
}

/// The first word that is neither a flag nor a flag's value.
fn subcommand(program: &str, words: &[&str]) -> Option<String> {
    let mut plain = Vec::new();
    let mut is_value = false;
    for word in words {
        if std::mem::take(&mut is_value) {
            continue;
        }
        if program == "cmake" && *word == "--build" {
            return Some("--build".to_owned());
        }
        is_value = has(WITH_VALUE, word);
        let is_plain = !word.starts_with(['-', '+']) && !word.contains('=');
        if is_plain && word.parse::<u32>().is_err() {
            plain.push(*word);
        }
    }
    let is_manager = has(MANAGERS, program);
    match plain[..] {
        ["run" | "run-script", script, ..] if is_manager => Some(script.to_owned()),
        [group @ ("compose" | "buildx"), word, ..] => Some(format!("{group}-{word}")),
        [word, ..] => Some(word.to_owned()),
        [] => None,
    }
}

/// Whether a package manager is asked for certain packages, which is not a step of the project.
fn adds_packages(program: &str, word: Option<&str>, words: &[&str]) -> bool {
    let installs = matches!(word, Some("install" | "i" | "add"));
    let more = words.iter().filter(|word| !word.starts_with('-')).count() > 1;
    has(MANAGERS, program) && installs && more
}
