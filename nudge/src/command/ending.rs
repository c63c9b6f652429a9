//! How a command ended, by its status and by what it printed.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::form::Form;
use super::invocation::base;
use super::line::simple_commands;
use super::programs::{has, is_known, runs_projects};
use super::proven::{Part, parts};
use super::signs::PATTERNS;

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ending {
    Ok,
    /// It could not run, which says nothing about the code.
    CouldNotRun(Missing),
    Failed,
    Unknown,
}

/// What a command lacked that could not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Missing {
    pub(crate) what: What,
    /// How many words of its form say so, up to the one that was not found.
    pub(crate) words: usize,
}

/// What can be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Program,
    /// A script, target or task of the project, or a file.
    Script,
    Subcommand,
    Flag,
    /// What the runner itself needs to start: its module, an engine, a manifest.
    Runner,
}

/// How the parts of a command line ended that tell, with their forms.
pub(crate) fn endings(
    command: &str,
    (worked, exit_code): (Option<bool>, Option<i64>),
    output: &str,
    root: Option<&str>,
) -> Vec<(Part, Form, Ending)> {
    let mut parts: Vec<(Part, Form, Ending)> = parts(command)
        .into_iter()
        .map(|part| {
            let form = Form::of(&part.line, root);
            (part, form, Ending::Unknown)
        })
        .collect();
    // As nearly always: what it printed is no matter then.
    if worked == Some(true) && parts.iter().all(|(part, ..)| !part.is_piped) {
        for (.., ending) in &mut parts {
            *ending = Ending::Ok;
        }
        return parts;
    }
    let (Some(worked), Some(patterns)) = (worked, &*PATTERNS) else {
        return parts;
    };
    let small = &*output.to_ascii_lowercase();
    // A status of the shell's own is told, whatever else is.
    let is_shells = matches!(exit_code, Some(126 | 127));
    let has_run = patterns.ran.is_match(small) && !is_shells;
    let said = if has_run {
        Vec::new()
    } else {
        patterns.said(output)
    };
    if worked {
        for (part, form, ending) in &mut parts {
            *ending = match (part.is_piped, own(form, &said)) {
                (false, _) => Ending::Ok,
                (true, Some(missing)) => Ending::CouldNotRun(missing),
                (true, None) => patterns.read(small),
            };
        }
        return parts;
    }
    let lacking = parts.iter().enumerate();
    let mut lacking = lacking.filter_map(|(at, (_, form, _))| Some((at, own(form, &said)?)));
    if let Some((at, missing)) = lacking.next() {
        parts.truncate(at + 1);
        if let Some((_, _, ending)) = parts.last_mut() {
            *ending = Ending::CouldNotRun(missing);
        }
        return parts;
    }
    // Which of several has failed is not said.
    if let [(part, form, ending)] = &mut parts[..] {
        let is_alone = is_shells && said.is_empty() && !runs_projects(&form.words);
        *ending = match () {
            () if is_alone => Ending::CouldNotRun(Missing {
                what: What::Program,
                words: 1,
            }),
            () if part.is_piped || patterns.is_passing(small) => Ending::Unknown,
            () => Ending::Failed,
        };
    }
    parts
}

/// What was missing, if the word is a command's own; another's word is a failure of what it ran.
fn own(form: &Form, said: &[(What, String)]) -> Option<Missing> {
    let at = |word: &str| {
        let is_it = |own: &String| {
            own == word || base(own) == base(word) || own.split('=').next() == Some(word)
        };
        form.words
            .iter()
            .position(is_it)
            .filter(|_| !word.is_empty())
    };
    said.iter().find_map(|(what, word)| {
        let words = match what {
            What::Program => {
                let at = at(word)?;
                // A word behind the program is its own only where something stands in front.
                let mut front = form.words.iter().take(at);
                let is_own = front.all(|word| !runs_projects(std::slice::from_ref(word)));
                is_own.then_some(at + 1)?
            }
            What::Script | What::Subcommand | What::Flag => at(word)? + 1,
            What::Runner => {
                let module = word
                    .split(['.', '/'])
                    .any(|part| is_known(part) || has("typescript node_modules", part));
                let is_own =
                    word.is_empty() || at(word).is_some() || module || word.starts_with("node:");
                is_own.then_some(form.words.len())?
            }
        };
        Some(Missing { what: *what, words })
    })
}

/// Programs that say no with status 1, and their subcommands that do.
const ASKING: &str = "grep egrep fgrep zgrep rg ag ack pgrep diff cmp test [ [[ which";
const GIT_ASKING: &str = "diff grep";

/// Whether the status of a line is an answer, and no failure: `grep` has found nothing.
pub(crate) fn is_answer(exit_code: Option<i64>, command: &str) -> bool {
    let last = simple_commands(command).and_then(|mut all| all.pop());
    let words = last.map(|last| last.words).unwrap_or_default();
    exit_code == Some(1)
        && match &words[..] {
            [git, word, ..] if git == "git" => has(GIT_ASKING, word),
            [program, ..] => has(ASKING, base(program)),
            [] => false,
        }
}

/// Words of an error, and how lines begin that only say that there was one.
const ERROR: &str = r"error|fail|fatal|not found|cannot|unable|denied|unknown|unrecognized|invalid|missing|panic|exception|no such|dubious";
const CLOSING: &str = r"exited with code|elifecycle|lifecycle script|npm err(?:or|!) (?:code|path|command|a complete log)|^husky|exit status \d|^\W*fail\b|task failed$|^at |^\W*\d+ (?:errors?|fail|failed|problems)|found \d+ errors?|^error: script|^make: \*\*\*|for more information";

/// What an error is known by: its last line that says something, without what differs from run
/// to run.
pub(crate) fn signature(output: &str) -> Option<String> {
    static LINES: LazyLock<Option<(Regex, Regex, Regex, Regex)>> = LazyLock::new(|| {
        let paths = Regex::new(r"(?:[\w.@~-]*/)+([\w.-]+)").ok()?;
        let numbers = Regex::new(r"0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+(?:[.:]\d+)*(?:ms|s)?").ok()?;
        Some((
            Regex::new(ERROR).ok()?,
            Regex::new(CLOSING).ok()?,
            paths,
            numbers,
        ))
    });
    let (error, closing, paths, numbers) = LINES.as_ref()?;
    let says = |line: &&str| {
        let letters = line.split(|letter: char| !letter.is_alphabetic());
        let words = letters.filter(|word| word.len() >= 3).count();
        words >= 3 && error.is_match(line) && !closing.is_match(line)
    };
    let output = output.to_lowercase();
    let line = output.lines().rev().map(str::trim).find(says)?;
    let line = paths.replace_all(line, "$1");
    let line = numbers.replace_all(&line, "0");
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(words.join(" ").chars().take(160).collect())
}

#[cfg(test)]
mod tests;
