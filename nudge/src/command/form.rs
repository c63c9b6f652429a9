//! The form of a command: one spelling for all ways to write the same.

use super::invocation::{base, wrapper};
use super::line::CommandLine;
use super::programs::{MANAGERS, has, is_known, lists};
use super::proven::DROPPED;
use super::step::Step;

/// Flags that only change what is printed, by program; those with `=` take a value.
const QUIET: &str = "
* : --silent --quiet --verbose --color --no-color --colour --no-progress --progress --reporter --reporters --loglevel --log-level \
    --message-format --formatter --pretty --console --output-logs --tb --no-header --no-summary --stream --if-present
npm pnpm yarn bun : -s --aggregate-output
pytest py.test unittest make just tox : -s -q -v -vv -vvv -qq
cargo go mypy ruff dotnet gradle gradlew mvn mvnw vitest jest : -q -v
";

/// Those of them whose value may be the next word.
const QUIET_VALUED: &str =
    "--reporter --reporters --color --colour --loglevel --log-level --message-format --formatter";

/// Flags that move a command to another folder.
const MOVING: &str = "
npm : --prefix
pnpm : -C --dir
yarn bun uv : --cwd --directory
make gmake just ninja go git : -C
";

/// A command of a folder as it runs from above: by a flag where the program has one, since a
/// shell stays where `cd` has led it.
pub(crate) fn in_folder(command: &str, folder: &str) -> String {
    match command.split_once(' ') {
        Some((program, rest)) if has("make gmake ninja pnpm go", program) => {
            format!("{program} -C {folder} {rest}")
        }
        _ => format!("cd {folder} && {command}"),
    }
}

/// A command in one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) words: Vec<String>,
    /// Where a flag moves it, as it is written.
    pub(crate) folder: Option<String>,
}

impl Form {
    /// The form of the first simple command of a line; paths below the root are told from there.
    pub(crate) fn of(line: &CommandLine, root: Option<&str>) -> Form {
        let mut words: Vec<&str> = line.words.iter().map(String::as_str).collect();
        while let Some(count) = wrapper(&words, DROPPED) {
            words.drain(..count);
        }
        let program = words.first().map_or("", |first| base(first)).to_owned();
        let mut folder = None;
        let mut form: Vec<String> = Vec::new();
        let mut rest = words.into_iter().enumerate().peekable();
        while let Some((at, word)) = rest.next() {
            let (flag, value) = word.split_once('=').unzip();
            let flag = flag.unwrap_or(word);
            let is_flag = at > 0 && flag.starts_with('-');
            if is_flag && lists(QUIET, &program, flag) {
                let is_value = |next: &(usize, &str)| !next.1.starts_with('-');
                if value.is_none() && has(QUIET_VALUED, flag) {
                    rest.next_if(is_value);
                }
                continue;
            }
            if is_flag && folder.is_none() && lists(MOVING, &program, flag) {
                folder = value
                    .or_else(|| rest.next().map(|(_, next)| next))
                    .map(str::to_owned);
                continue;
            }
            form.push(below(word, root));
        }
        while form.last().is_some_and(|word| word == "--") {
            form.pop();
        }
        spell(&mut form);
        Form {
            words: form,
            folder,
        }
    }

    pub(crate) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// What is run, whichever program runs it and whatever stands before that: `pnpm run test`
    /// and `npm test` run one script.
    pub(crate) fn id(&self) -> String {
        let mut words: &[String] = &self.words;
        while let [first, rest @ ..] = words
            && !is_known(base(first))
            && rest.first().is_some_and(|next| is_known(base(next)))
        {
            words = rest;
        }
        let mut id: Vec<&str> = words.iter().map(String::as_str).collect();
        if let [manager, rest @ ..] = &id[..]
            && has(MANAGERS, manager)
        {
            let is_run = rest.first() == Some(&"run");
            let is_own = *manager == "bun"
                || rest
                    .first()
                    .is_none_or(|it| has("install ci exec dlx add", it));
            if is_run || !is_own {
                id = std::iter::once("run")
                    .chain(rest.iter().copied().skip(usize::from(is_run)))
                    .collect();
            }
        }
        if let Some(first) = id.first_mut()
            && base(first).trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
                == "python"
        {
            *first = "python";
        }
        if Step::of(words) == Some(Step::Format) {
            id.retain(|word| !has("--check -- --all --list-different -l -c", word));
        }
        id.retain(|word| *word != "--");
        id.join(" ")
    }
}

/// A word without the root that it begins with.
fn below(word: &str, root: Option<&str>) -> String {
    let rest = root.and_then(|root| word.strip_prefix(root));
    match rest {
        Some("") => ".".to_owned(),
        Some(rest) => rest.strip_prefix('/').unwrap_or(word).to_owned(),
        None => word.to_owned(),
    }
}

/// Puts what can be written in several ways in one.
fn spell(form: &mut Vec<String>) {
    let [program, first, ..] = &form[..] else {
        return;
    };
    let long = match (program.as_str(), first.as_str()) {
        ("npm" | "pnpm", "t" | "tst") | ("cargo", "t") => "test",
        ("npm" | "pnpm" | "yarn" | "bun", "i") => "install",
        ("cargo", "b") => "build",
        ("cargo", "c") => "check",
        ("cargo" | "mise", "r") | ("npm" | "pnpm" | "yarn" | "bun", "run-script") => "run",
        (_, word) => word,
    };
    let long = long.to_owned();
    // The word `run` says nothing more, except where there is a subcommand of that name.
    let is_spare = match (program.as_str(), form.get(2).map(String::as_str)) {
        ("npm", Some(name)) => has("test start stop restart", name),
        ("pnpm" | "yarn", Some(name)) => !has("install add remove exec dlx run", name),
        _ => false,
    };
    if is_spare && long == "run" {
        form.remove(1);
    } else {
        form[1] = long;
    }
}

/// Whether all words of one command are in another, in their order: the other
/// only says more.
pub(crate) fn contains(longer: &CommandLine, shorter: &CommandLine) -> bool {
    let mut words = longer.all_words();
    shorter
        .all_words()
        .all(|word| words.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::Form;
    use crate::command::line::CommandLine;

    fn form(command: &str) -> Form {
        Form::of(&CommandLine::read(command).unwrap(), Some("/repo"))
    }

    /// Forms, each with its spellings.
    const SPELLINGS: &str = "\
npm test | npm t | npm run -s test | npm run test | time npm test --silent | timeout 60 npm test
pnpm test | pnpm run test | pnpm t
npm run build | npm run-script build | npm run build --
cargo test | cargo t | cargo test -q | cargo test --color always | cargo test --color=always
pytest tests/a.py | pytest -q tests/a.py | pytest /repo/tests/a.py -vv --tb=short
bun run test | bun run test
rtk bun run test | rtk bun run test 2>&1";

    /// Commands that run the same, whichever program runs it.
    const SAME: &str = "\
npm test | pnpm run test | yarn test | bun run test | rtk bun run test
python -m pytest | python3 -m pytest
cargo fmt --all -- --check | cargo fmt";

    #[test]
    fn all_spellings_of_a_command_have_one_form() {
        for row in SPELLINGS.lines() {
            let (expected, commands) = row.split_once(" | ").unwrap();
            for command in commands.split(" | ") {
                assert_eq!(form(command).text(), expected, "{command}");
            }
        }
    }

    #[test]
    fn a_flag_moves_a_command() {
        for command in [
            "npm --prefix web test",
            "pnpm -C web test",
            "make -C web test",
        ] {
            let form = form(command);
            assert_eq!(form.folder.as_deref(), Some("web"), "{command}");
            assert!(form.text().ends_with(" test"), "{command}");
        }
    }

    #[test]
    fn what_is_run_does_not_depend_on_who_runs_it() {
        for row in SAME.lines() {
            let (first, others) = row.split_once(" | ").unwrap();
            for other in others.split(" | ") {
                assert_eq!(form(other).id(), form(first).id(), "{other}");
            }
        }
        for (one, other) in [
            ("bun test", "bun run test"),
            ("npm test", "npm install"),
            ("npm test", "npm run lint"),
        ] {
            assert_ne!(form(one).id(), form(other).id());
        }
    }
}
