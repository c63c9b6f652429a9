//! What programs print when they cannot run, when they fail and when they succeed.

use std::sync::LazyLock;

use regex::Regex;

use super::ending::{Ending, What};

/// How many lines of an output are looked at, from its start and from its end: a runner that
/// does not know a name says little else.
const FIRST_LINES: usize = 5;
const LAST_LINES: usize = 12;

/// What programs and shells say when something is missing, and which word is: what it is, and a
/// regex. All of these are for small letters: what knows both takes four times as long to be made
/// ready. A module that a file of the project asks for (`from '…'`, `or its corresponding types`)
/// is about the code.
const TEXTS: &str = r#"
Program ^(?:\S*sh|\(eval\)):? ?(?:line \d+: |\d+: ?)*([^\s:]+): (?:command )?not found
Program command not found: (\S+)
Program exec: "([^"]+)": executable file not found
Program '([^']+)' is not recognized as an internal
Program ^error: failed to spawn: `([^`]+)`
Program the command (\S+) could not be found within path
Program command '([^']+)' is not found in your path
Program ^env: '?([^\s':]+)'?: no such file
Script ^\S*sh: (?:line \d+: |\d+: )*([^\s:]*/[^\s:]+): no such file or directory
Script ^\S*(?:sh|\(eval\))\S* no such file or directory: (\S+)
Script ^\S*python\S*: can't open file '([^']+)'
Script (?:missing script|script not found|no such script):? ["'`]?([^\s"'`]+)
Script ^error command "([^"]+)" not found
Script recursive_exec_first_fail.*command "([^"]+)" not found
Script find a script named "([^"]+)"
Script none of the selected packages has a "([^"]+)" script
Script ^g?make: \*\*\* no rule to make target ['`]([^'`]+)'\. 
Script ^make: don't know how to make ([^\s.]+)
Script ninja: error: unknown target '([^']+)'
Script justfile does not contain recipe `([^`]+)`
Script task: task "([^"]+)" does not exist
Script unknown environment '([^']+)'
Script environments not found in configuration file: \['([^']+)'
Script sessions not found: (\S+)
Script mise error no task (\S+)
Script unrecogni[sz]ed task '([^']+)'
Script don't know how to build task '([^']+)'
Script ^warning: task "([^"]+)" not found
Script ^task '([^']+)' not found in
Script cannot locate tasks that match '([^']+)'
Script unknown lifecycle phase "([^"]+)"
Script could not find (?:the following )?tasks?:? [`']?([^\s`']+)
Script find configuration for task (\S+)
Script no such service: (\S+)
Subcommand (?:unknown|unrecognized|invalid|no such) (?:sub)?command:? ["'`]?([\w:.-]+)
Subcommand ["'`]([\w:.-]+)["'`] is not a \S+ command
Flag (?:unknown|unrecognized|unexpected|invalid|illegal|unsupported|no such) (?:option|flag|argument|switch)s?(?: found)?[: ]+["'`]?(--?[\w][\w-]*)
Flag unknown shorthand flag: .* in (-\w+)
Flag flag provided but not defined: (-[\w-]+)
Flag found argument '([^']+)' which wasn't expected
Runner no module named '?([\w.]+)
Runner cannot find (?:module|package) '([^']+)'(?:$| imported )
Runner err_pnpm_unsupported_engine|err_pnpm_bad_pm_version|code ebadengine|ebaddevengines|unsupported url type .workspace:
Runner this project is configured to use|project's package\.json defines|\bonly-allow\b
Runner externally-managed-environment
Runner go\.mod file not found|cannot find main module|could not find `?cargo\.toml|could not read package\.json|enoent.*package\.json|no package\.json|err_pnpm_no_importer_manifest|no pyproject\.toml|error ts5057|error ts5058|no such file or directory: '?pyproject\.toml
"#;

/// What a runner says that did run: what failed is then about the code.
const RAN: &str = r"(?m)\b\d+ (?:pass|fail|passed|failed|passing|failing)\b|\bran \d+ tests?|test result: |\b[1-9]\d* problems?\b|found \d+ errors?|error ts(?:[1-46-9]|50[0-46-9])\d+|error\[e\d+\]|could not compile|--- fail|assertionerror|\d+ issues:";

/// A failure that says more about the machine than about the command.
const PASSING: &str = r"\b(?:econnrefused|econnreset|enotfound|etimedout|eai_again|eacces|eperm|enospc|eaddrinuse)\b|could not resolve host|network is unreachable|connection (?:refused|reset|timed out)|permission denied|operation not permitted|read-only file system|no space left|address already in use|port \d+ is (?:already )?in use|could not (?:acquire|get) lock|blocking waiting for file lock|\bsandbox\b";

/// A runner's signs of success and of failure, where its status is not to be had.
const GOOD: &str = r"(?m)\b\d+ pass(?:ed|ing)?\b|test result: ok|^ok\s+\S|^pass\b|\b0 (?:errors?|problems?|failures|issues)\b|\bno (?:issues|errors|problems)\b|all checks passed|finished `|\bbuilt in \d|compiled successfully|build (?:succeeded|successful|complete)|build success|successfully (?:built|installed|compiled)|up to date|added \d+ packages|done in \d|all matched files use|checked \d+ files";
const NOT_BAD: &str = r"(?m)\b0 (?:failed|failures?|fail|errors?|problems?|warnings?)\b|\bno (?:errors|failures|issues|problems)\b|^\s*[✓√].*$|^(?:--- pass|ok\s|pass\b|=== run).*$|[\w./-]*(?:error|fail)[\w-]*\.\w+";
const BAD: &str = r"\berrors?\b|\bfail(?:ed|ures?|ing|s)?\b|[✗✖×]|not found|\bpanic|traceback|exception|\bcannot\b|unrecognized|denied|\bfatal\b|would reformat|exit (?:code|status) [1-9]";

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
    let texts = TEXTS.trim().lines().map(|line| {
        let (what, text) = line.split_once(' ')?;
        let what = match what {
            "Program" => What::Program,
            "Script" => What::Script,
            "Subcommand" => What::Subcommand,
            "Flag" => What::Flag,
            _ => What::Runner,
        };
        Some((what, Regex::new(text).ok()?))
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
            let small = line.to_ascii_lowercase();
            for (what, text) in &self.texts {
                let Some(found) = text.captures(&small) else {
                    continue;
                };
                let word = found.get(1).and_then(|word| line.get(word.range()));
                let word = word.unwrap_or_default().to_owned();
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
