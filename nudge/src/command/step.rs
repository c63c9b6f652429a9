//! `Step`: which step of a project's life a command takes, and a key names.

use super::invocation::Invocation;
use super::programs::has;

/// A step that every project has in one form or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Build,
    Test,
    Lint,
    Format,
    Typecheck,
    Run,
    Install,
    Setup,
    Deploy,
    Migrate,
}

use Step::{Build, Deploy, Format, Install, Lint, Migrate, Run, Setup, Test, Typecheck};

/// The words that name a step, as keys, targets and scripts have them. The first
/// of each is the key under which something new is proposed.
const NAMES: [(Step, &str); 10] = [
    (Build, "build compile"),
    (Test, "test tests"),
    (Lint, "lint"),
    (Format, "format fmt"),
    (Typecheck, "typecheck type-check types"),
    (Run, "run start dev serve"),
    (Install, "install deps bootstrap"),
    (Setup, "setup"),
    (Deploy, "deploy"),
    (Migrate, "migrate migration migrations"),
];

/// More words that name a step as a part of a script's or target's name. Of several steps
/// in one name, the first one here counts.
const PARTS: [(Step, &str); 5] = [
    (Typecheck, "type typing typings mypy pyright tsc tsgo"),
    (
        Lint,
        "lints linter linting eslint oxlint pylint flake8 ruff clippy golangci vet style",
    ),
    (Format, "formatting prettier black gofmt rustfmt"),
    (
        Test,
        "testing unit e2e spec coverage cov pytest jest vitest",
    ),
    (Build, "builds bundle dist assemble"),
];

/// First parts of names that decide, whatever follows them: `docs:build` is not the build.
const DECIDING: &str =
    "install setup deploy docs doc release publish bench benchmark benchmarks clean pre post";

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
        let parts = parts(key);
        checks_types(&parts).or_else(|| named(parts.first()?))
    }

    /// The step that a script, target, recipe or environment is named for.
    pub(crate) fn of_name(name: &str) -> Option<Step> {
        let parts = parts(name);
        let first = parts.first()?;
        let is_of = |part: &String, (step, words): (Step, &str)| {
            has(words, part) || named(part) == Some(step)
        };
        if let Some(step) = checks_types(&parts) {
            return Some(step);
        }
        if has(DECIDING, first) {
            return named(first).filter(|step| *step != Setup || parts.len() == 1);
        }
        let by_first = PARTS.into_iter().find(|of| is_of(first, *of));
        // `build:types` builds them, but `test:types` checks them.
        let by_first = by_first.filter(|(step, _)| *step != Test);
        let by_any = || {
            let mut steps = PARTS.into_iter();
            steps.find(|of| parts.iter().any(|part| is_of(part, *of)))
        };
        let found = by_first.or_else(by_any).map(|(step, _)| step);
        found.or_else(|| named(first))
    }

    /// The step that a command takes, by its words without variables.
    pub(crate) fn of(words: &[String]) -> Option<Step> {
        Invocation::of(words).map(|found| found.step)
    }
}

fn named(word: &str) -> Option<Step> {
    let known = NAMES.iter().find(|(_, names)| has(names, word));
    known.map(|(step, _)| *step)
}

/// Type checking, however the two words are put together.
fn checks_types(parts: &[String]) -> Option<Step> {
    let name = parts.concat();
    let words = ["typecheck", "typescheck", "checktype"];
    let is_it = words.iter().any(|word| name.contains(word));
    is_it.then_some(Typecheck)
}

/// The words in a name, in lower case: `test:unit`, `test_unit` and `testUnit` have two.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if was_lower && letter.is_ascii_uppercase() {
            spaced.push(' ');
        }
        was_lower = letter.is_ascii_lowercase();
        let is_part = letter.is_ascii_alphanumeric();
        spaced.push(if is_part { letter } else { ' ' });
    }
    let parts = spaced.split_whitespace();
    parts.map(str::to_ascii_lowercase).collect()
}
