//! What programs print when they cannot run, when they fail and when they succeed.

use std::sync::LazyLock;

use regex::Regex;

use super::ending::{Ending, What};

/// How many lines of an output are looked at, from its start and from its end: a runner that
/// does not know a name says little else.
const FIRST_LINES: usize = 5;
const LAST_LINES: usize = 12;

/// What programs and shells say when something is missing, and which word is.
const TEXTS: &[(What, &str)] = &[
    (
        What::Program,
        r"^(?:\S*sh|\(eval\)):? ?(?:line \d+: |\d+: ?)*([^\s:]+): (?:command )?not found",
    ),
    (What::Program, r"command not found: (\S+)"),
    (
        What::Program,
        r#"exec: "([^"]+)": executable file not found"#,
    ),
    (What::Program, r"'([^']+)' is not recognized as an internal"),
    (What::Program, r"^error: failed to spawn: `([^`]+)`"),
    (
        What::Program,
        r"the command (\S+) could not be found within path",
    ),
    (
        What::Program,
        r"command '([^']+)' is not found in your path",
    ),
    (What::Program, r"^env: '?([^\s':]+)'?: no such file"),
    (
        What::Script,
        r"^\S*sh: (?:line \d+: |\d+: )*([^\s:]*/[^\s:]+): no such file or directory",
    ),
    (
        What::Script,
        r"^\S*(?:sh|\(eval\))\S* no such file or directory: (\S+)",
    ),
    (What::Script, r"^\S*python\S*: can't open file '([^']+)'"),
    (
        What::Script,
        r#"(?:missing script|script not found|no such script):? ["'`]?([^\s"'`]+)"#,
    ),
    (What::Script, r#"^error command "([^"]+)" not found"#),
    (
        What::Script,
        r#"recursive_exec_first_fail.*command "([^"]+)" not found"#,
    ),
    (What::Script, r#"find a script named "([^"]+)""#),
    (
        What::Script,
        r#"none of the selected packages has a "([^"]+)" script"#,
    ),
    (
        What::Script,
        r"^g?make: \*\*\* no rule to make target ['`]([^'`]+)'\. ",
    ),
    (What::Script, r"^make: don't know how to make ([^\s.]+)"),
    (What::Script, r"ninja: error: unknown target '([^']+)'"),
    (What::Script, r"justfile does not contain recipe `([^`]+)`"),
    (What::Script, r#"task: task "([^"]+)" does not exist"#),
    (What::Script, r"unknown environment '([^']+)'"),
    (
        What::Script,
        r"environments not found in configuration file: \['([^']+)'",
    ),
    (What::Script, r"sessions not found: (\S+)"),
    (What::Script, r"mise error no task (\S+)"),
    (What::Script, r"unrecogni[sz]ed task '([^']+)'"),
    (What::Script, r"don't know how to build task '([^']+)'"),
    (What::Script, r#"^warning: task "([^"]+)" not found"#),
    (What::Script, r"^task '([^']+)' not found in"),
    (What::Script, r"cannot locate tasks that match '([^']+)'"),
    (What::Script, r#"unknown lifecycle phase "([^"]+)""#),
    (
        What::Script,
        r"could not find (?:the following )?tasks?:? [`']?([^\s`']+)",
    ),
    (What::Script, r"find configuration for task (\S+)"),
    (What::Script, r"no such service: (\S+)"),
    (
        What::Subcommand,
        r#"(?:unknown|unrecognized|invalid|no such) (?:sub)?command:? ["'`]?([\w:.-]+)"#,
    ),
    (
        What::Subcommand,
        r#"["'`]([\w:.-]+)["'`] is not a \S+ command"#,
    ),
    (
        What::Flag,
        r#"(?:unknown|unrecognized|unexpected|invalid|illegal|unsupported|no such) (?:option|flag|argument|switch)s?(?: found)?[: ]+["'`]?(--?[\w][\w-]*)"#,
    ),
    (What::Flag, r"unknown shorthand flag: .* in (-\w+)"),
    (What::Flag, r"flag provided but not defined: (-[\w-]+)"),
    (
        What::Flag,
        r"found argument '([^']+)' which wasn't expected",
    ),
    (What::Runner, r"no module named '?([\w.]+)"),
    // One that a file of the project asks for (`from '…'`, `or its corresponding types`) is
    // about the code.
    (
        What::Runner,
        r"cannot find (?:module|package) '([^']+)'(?:$| imported )",
    ),
    (
        What::Runner,
        r"err_pnpm_unsupported_engine|err_pnpm_bad_pm_version|code ebadengine|ebaddevengines|unsupported url type .workspace:",
    ),
    (
        What::Runner,
        r"this project is configured to use|project's package\.json defines|\bonly-allow\b",
    ),
    (What::Runner, r"externally-managed-environment"),
    (
        What::Runner,
        r"go\.mod file not found|cannot find main module|could not find `?cargo\.toml|could not read package\.json|enoent.*package\.json|no package\.json|err_pnpm_no_importer_manifest|no pyproject\.toml|error ts5057|error ts5058|no such file or directory: '?pyproject\.toml",
    ),
];

/// What a runner says that did run: what failed is then about the code.
const RAN: &str = r"(?im)\b\d+ (?:pass|fail|passed|failed|passing|failing)\b|\bran \d+ tests?|test result: |\b[1-9]\d* problems?\b|found \d+ errors?|error TS(?:[1-46-9]|50[0-46-9])\d+|error\[E\d+\]|could not compile|--- FAIL|AssertionError|\d+ issues:";

/// A failure that says more about the machine than about the command.
const PASSING: &str = r"(?i)\b(?:econnrefused|econnreset|enotfound|etimedout|eai_again|eacces|eperm|enospc|eaddrinuse)\b|could not resolve host|network is unreachable|connection (?:refused|reset|timed out)|permission denied|operation not permitted|read-only file system|no space left|address already in use|port \d+ is (?:already )?in use|could not (?:acquire|get) lock|blocking waiting for file lock|\bsandbox\b";

/// A runner's signs of success and of failure, where its status is not to be had.
const GOOD: &str = r"(?im)\b\d+ pass(?:ed|ing)?\b|test result: ok|^ok\s+\S|^pass\b|\b0 (?:errors?|problems?|failures|issues)\b|\bno (?:issues|errors|problems)\b|all checks passed|finished `|\bbuilt in \d|compiled successfully|build (?:succeeded|successful|complete)|build success|successfully (?:built|installed|compiled)|up to date|added \d+ packages|done in \d|all matched files use|checked \d+ files";
const NOT_BAD: &str = r"(?im)\b0 (?:failed|failures?|fail|errors?|problems?|warnings?)\b|\bno (?:errors|failures|issues|problems)\b|^\s*[✓√].*$|^(?:--- pass|ok\s|pass\b|=== run).*$|[\w./-]*(?:error|fail)[\w-]*\.\w+";
const BAD: &str = r"(?i)\berrors?\b|\bfail(?:ed|ures?|ing|s)?\b|[✗✖×]|not found|\bpanic|traceback|exception|\bcannot\b|unrecognized|denied|\bfatal\b|would reformat|exit (?:code|status) [1-9]";

/// The tables, ready to be matched.
pub(super) struct Patterns {
    texts: Vec<(What, Regex)>,
    pub(super) ran: Regex,
    passing: Regex,
    good: Regex,
    not_bad: Regex,
    bad: Regex,
}

pub(super) static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let texts = TEXTS.iter().map(|(what, text)| {
        let regex = Regex::new(&format!("(?i){text}")).ok()?;
        Some((*what, regex))
    });
    Some(Patterns {
        texts: texts.collect::<Option<_>>()?,
        ran: Regex::new(RAN).ok()?,
        passing: Regex::new(PASSING).ok()?,
        good: Regex::new(GOOD).ok()?,
        not_bad: Regex::new(NOT_BAD).ok()?,
        bad: Regex::new(BAD).ok()?,
    })
});

fn last_lines(output: &str) -> impl Iterator<Item = &str> {
    let lines = output.lines().rev().map(str::trim);
    lines.filter(|line| !line.is_empty()).take(LAST_LINES)
}

impl Patterns {
    /// Whether a failure says more about the machine than about the command.
    pub(super) fn is_passing(&self, output: &str) -> bool {
        last_lines(output).any(|line| self.passing.is_match(line))
    }

    /// What an output says is missing, and which word.
    pub(super) fn said(&self, output: &str) -> Vec<(What, String)> {
        let first = output.lines().map(str::trim).take(FIRST_LINES);
        let mut said = Vec::new();
        for line in last_lines(output).chain(first) {
            for (what, text) in &self.texts {
                let Some(found) = text.captures(line) else {
                    continue;
                };
                let word = found.get(1).map_or("", |word| word.as_str()).to_owned();
                if !said.contains(&(*what, word.clone())) {
                    said.push((*what, word));
                }
            }
        }
        said
    }

    /// How a runner ended, by its own summary.
    pub(super) fn read(&self, output: &str) -> Ending {
        let rest = self.not_bad.replace_all(output, " ");
        if self.bad.is_match(&rest) {
            return Ending::Failed;
        }
        if self.good.is_match(output) {
            return Ending::Ok;
        }
        Ending::Unknown
    }
}
