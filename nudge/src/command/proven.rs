//! What the success of a command line proves.

use super::invocation::wrapper;
use super::line::{CommandLine, Simple, is_variable, moved, simple_commands, unquoted};
use super::programs::has;

/// A simple command of a line that tells how it ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// With where `cd` led before it, as it is written.
    pub(crate) line: CommandLine,
    /// Whether only its output tells: what it is piped into has a status of its own.
    pub(crate) is_piped: bool,
}

/// Words in front that are no part of a command.
pub(super) const DROPPED: &str = "time command nice nohup timeout";

/// Words that make more than simple commands of a line.
const RESERVED: &str =
    "if then elif else fi for while until select do done case esac function { } !";

/// Commands that change the folder.
const MOVING: &str = "cd pushd popd";

/// Commands after which words may mean something else.
const CHANGING: &str = "exit return trap eval exec alias hash enable shopt function . source";

/// Filters that show what they are given.
const SHOWING: &str = "tail head tee cat";

/// The simple commands of a line of which its status or its output tells how they ended. If the
/// line has failed, one of them has, and none behind it ran. Commands that depend on the
/// environment are left out: elsewhere they would be others.
pub(crate) fn parts(command: &str) -> Vec<Part> {
    chain(command).unwrap_or_default()
}

fn chain(command: &str) -> Option<Vec<Part>> {
    let commands = simple_commands(command)?;
    let is_unclear = |simple: &Simple| {
        simple.operator == "||" || simple.words.is_empty() || starts(simple, RESERVED)
    };
    let ends = |simple: &Simple| matches!(simple.operator, ";" | "&");
    if commands.iter().any(is_unclear) || commands.last().is_none_or(ends) {
        return None;
    }
    // Of a list only the end of its last part is known.
    let start = commands.iter().rposition(ends).map_or(0, |at| at + 1);
    let (earlier, last) = commands.split_at_checked(start)?;
    let changes =
        |simple: &Simple| starts(simple, MOVING) || assigns(simple) || starts(simple, CHANGING);
    if earlier.iter().any(changes) {
        return None;
    }
    let mut all_of_pipe = earlier.iter().any(sets_pipefail);
    let mut folder = None;
    let mut programs = String::new();
    let mut found = Vec::new();
    for pipe in last.split_inclusive(|simple| simple.operator != "|") {
        let (end, before) = pipe.split_last()?;
        if let [simple] = pipe
            && let Some(activated) = activated(simple)
        {
            programs = activated;
            continue;
        }
        if before.is_empty() && starts(end, MOVING) {
            let Some(to) = target(end) else { break };
            folder = Some(moved(folder, &to));
            continue;
        }
        if before.is_empty() && (assigns(end) || starts(end, CHANGING)) {
            break;
        }
        all_of_pipe |= sets_pipefail(end);
        let unknown = if all_of_pipe { 0 } else { before.len() };
        let is_shown = pipe.iter().skip(1).all(|simple| starts(simple, SHOWING));
        for (at, simple) in pipe.iter().enumerate() {
            let is_piped = at < unknown;
            if !is_piped || at == 0 && is_shown && end.operator.is_empty() {
                let line = one(simple, folder.as_ref(), &programs);
                found.extend(line.map(|line| Part { line, is_piped }));
            }
        }
    }
    Some(found)
}

/// Whether a part decides what becomes of its line: nothing runs before it but `cd`, and nothing
/// runs whatever becomes of it. What is piped ends as its last command does, which is well.
pub(crate) fn decides(command: &str, part: &Part) -> bool {
    let commands = simple_commands(command).unwrap_or_default();
    let mut rest = commands.iter().skip_while(|simple| starts(simple, "cd"));
    let first = rest.next().and_then(|first| one(first, None, ""));
    let is_first = first.is_some_and(|first| first.text == part.line.text);
    is_first
        && commands
            .iter()
            .all(|simple| matches!(simple.operator, "&&" | ""))
}

/// Where the programs are that an activated environment puts in front.
fn activated(simple: &Simple) -> Option<String> {
    let [dot, script] = &simple.words[..] else {
        return None;
    };
    let programs = script.strip_suffix("activate")?;
    let is_plain = programs.ends_with("/bin/") && !depends(script);
    (has(". source", dot) && is_plain).then(|| programs.to_owned())
}

/// What an activated environment has.
const ACTIVATED: &str =
    "python python3 pip pytest mypy ruff black flake8 pylint isort tox nox coverage";

/// A simple command by itself, unless it depends on the environment.
fn one(simple: &Simple, folder: Option<&String>, programs: &str) -> Option<CommandLine> {
    let mut words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
    while let Some(count) = wrapper(&words, DROPPED) {
        words.drain(..count);
    }
    let first = words.first()?;
    if has("sudo env", first) || is_variable(first) || words.iter().any(|word| depends(word)) {
        return None;
    }
    let in_programs = format!("{programs}{first}");
    if !programs.is_empty() && has(ACTIVATED, first) {
        words[0] = &in_programs;
    }
    Some(CommandLine {
        folder: folder.cloned(),
        text: words.join(" "),
        variables: Vec::new(),
        words: words.into_iter().map(unquoted).collect(),
        is_simple: true,
    })
}

/// Whether a shell makes something of a word that depends on where it runs, or that this
/// reader does not understand.
fn depends(word: &str) -> bool {
    let is_quoted = unquoted(word) != word;
    let expands = word.contains(['$', '`']) && !(is_quoted && word.starts_with('\''));
    let has_brace = word.contains('{') && !word.contains('*') || word.contains(['<', '>']);
    expands || has_brace && !is_quoted
}

fn starts(simple: &Simple, words: &str) -> bool {
    let first = simple.words.first();
    first.is_some_and(|first| has(words, first))
}

/// Where `cd` leads, where that is plain.
fn target(simple: &Simple) -> Option<String> {
    let [cd, to] = &simple.words[..] else {
        return None;
    };
    let to = unquoted(to);
    let is_plain = !to.starts_with(['~', '-']) && !to.contains(['$', '`', '*', '\\', '"', '\'']);
    (cd == "cd" && is_plain).then_some(to)
}

/// Whether all that follows runs with another variable.
fn assigns(simple: &Simple) -> bool {
    starts(simple, "export") || simple.words.iter().all(|word| is_variable(word))
}

fn sets_pipefail(simple: &Simple) -> bool {
    let end = simple.words.last_chunk();
    let is_pipefail = end.is_some_and(|[flag, name]| flag.starts_with('-') && name == "pipefail");
    is_pipefail && starts(simple, "set")
}

#[cfg(test)]
mod tests {
    use super::parts;
    use crate::command::line::CommandLine;
    use crate::command::tests::rows;

    /// Command lines, and what they prove.
    const CASES: &str = include_str!("../../../tests/hooks/proven.tsv");

    /// What is known to have succeeded, if the line has.
    fn proven(command: &str) -> Vec<CommandLine> {
        let parts = parts(command).into_iter().filter(|part| !part.is_piped);
        parts.map(|part| part.line).collect()
    }

    #[test]
    fn a_line_proves_what_the_table_says() {
        for [line, expected] in rows(CASES) {
            let found = proven(&line).into_iter().map(|proven| {
                let folder = proven.folder.map(|folder| format!("{folder}: "));
                folder.unwrap_or_default() + &proven.text
            });
            assert_eq!(found.collect::<Vec<_>>().join(" | "), expected, "{line}");
        }
    }

    #[test]
    fn words_are_without_quotes_and_the_text_is_as_it_was_typed() {
        let found = proven("time npm run 'test unit'");
        let line = found.first().unwrap();
        assert_eq!(line.text, "npm run 'test unit'");
        assert_eq!(line.words, ["npm", "run", "test unit"]);
        assert!(line.is_simple);
    }
}
