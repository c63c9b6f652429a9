//! How a command ended, as each host tells it. Where a host leaves it open, so
//! does this: what is counted must have been seen.

use serde_json::Value;

use super::path::{is_true, number, text};
use super::transcript;

/// What is known of the end of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) ok: Option<bool>,
    pub(super) exit_code: Option<i64>,
}

impl Ending {
    const UNKNOWN: Ending = Ending {
        ok: None,
        exit_code: None,
    };

    fn code(code: Option<i64>) -> Ending {
        Ending {
            ok: code.map(|code| code == 0),
            exit_code: code,
        }
    }
}

/// Claude Code has one event for commands that worked and one for those that
/// failed; the latter also tells of those that were not run to their end.
pub(super) fn claude(event: &str, told: &Value) -> Ending {
    let is_open = is_true(
        told,
        &[
            "is_interrupt",
            "tool_response.interrupted",
            "tool_input.run_in_background",
        ],
    );
    if is_open || text(told, &["tool_response.backgroundTaskId"]).is_some() {
        return Ending::UNKNOWN;
    }
    if event == "PostToolUse" {
        return Ending {
            ok: Some(true),
            exit_code: None,
        };
    }
    let error = text(told, &["error"]).unwrap_or_default();
    Ending::code(code_after(error.lines().next(), "Exit code "))
}

/// Codex does not say it, but its transcript does. What a command printed says nothing.
pub(super) fn codex(_: &str, told: &Value) -> Ending {
    let said = number(
        told,
        &[
            "tool_response.exit_code",
            "tool_response.metadata.exit_code",
        ],
    );
    Ending::code(said.or_else(|| transcript::exit_code(told)))
}

/// The status on the first lines of what Codex gives its model, which its transcripts have in
/// front of what a command printed.
pub(crate) fn codex_header(output: &str) -> Option<i64> {
    let head = output.lines().take_while(|line| *line != "Output:").take(4);
    let words = ["Exit code: ", "Process exited with code "];
    let mut codes = head.flat_map(|line| words.map(|words| code_after(Some(line), words)));
    codes.find_map(|code| code)
}

/// Gemini CLI ends what its model sees with a line for each thing that went
/// wrong, and shows no status where it is 0. What the command printed stands
/// beside that by itself, and is none of those lines.
pub(super) fn gemini(_: &str, told: &Value) -> Ending {
    let seen = text(
        told,
        &[
            "tool_response.llmContent",
            "tool_response.llmContent.0.text",
        ],
    );
    let seen = seen.unwrap_or_default();
    let seen = seen.trim();
    let seen = seen.strip_prefix("<untrusted_context>").unwrap_or(seen);
    let seen = seen.strip_suffix("</untrusted_context>").unwrap_or(seen);
    let seen = seen.trim();
    // A command that was cancelled, or goes on in the background, reads otherwise. Where it
    // cannot be told what was printed, any line may be.
    let printed = text(told, &["tool_response.returnDisplay"]).unwrap_or_default();
    let printed = Some(printed.trim()).filter(|printed| !printed.is_empty());
    let after = seen.strip_prefix("Output: ").and_then(|seen| {
        let after = printed.and_then(|printed| seen.strip_prefix(printed));
        after.or_else(|| seen.strip_prefix("(empty)"))
    });
    let Some(seen) = after.filter(|after| after.is_empty() || after.starts_with('\n')) else {
        return Ending::UNKNOWN;
    };
    let starts = |line: &str, notes: &[&str]| notes.iter().any(|note| line.starts_with(note));
    let is_harmless = |line: &str| starts(line, &["Process Group PGID: ", "Background PIDs: "]);
    let mut last = seen.lines().rev().skip_while(|line| is_harmless(line));
    match last.next() {
        Some(line) if starts(line, &["Exit Code: ", "Signal: ", "Error: "]) => {
            Ending::code(code_after(Some(line), "Exit Code: "))
        }
        _ => Ending::code(Some(0)),
    }
}

/// Copilot CLI ends what its model sees with `<… exit code 1>`.
pub(super) fn copilot(_: &str, told: &Value) -> Ending {
    let seen = text(told, &["toolResult.textResultForLlm"]).unwrap_or_default();
    let last = seen.trim_end().lines().next_back().unwrap_or_default();
    let note = last.rfind('<').and_then(|start| last.get(start..));
    let note = note.and_then(|note| note.strip_suffix('>'));
    let code = note.and_then(|note| note.rsplit_once("exit code "));
    Ending::code(code.and_then(|(_, code)| code.parse().ok()))
}

/// Cursor writes the status into the result, and has an event for what went
/// wrong, which is also told of commands that were never run.
pub(super) fn cursor(event: &str, told: &Value) -> Ending {
    if is_true(told, &["is_interrupt"]) {
        return Ending::UNKNOWN;
    }
    if event == "postToolUseFailure" {
        let is_error = text(told, &["failure_type"]).as_deref() == Some("error");
        return Ending {
            ok: is_error.then_some(false),
            exit_code: None,
        };
    }
    Ending::code(number(
        told,
        &["tool_output.exitCode", "tool_output.exit_code"],
    ))
}

/// Our plugin says it in a field.
pub(super) fn opencode(_: &str, told: &Value) -> Ending {
    Ending::code(number(told, &["exit"]))
}

/// The number that a line has after some words.
fn code_after(line: Option<&str>, words: &str) -> Option<i64> {
    let rest = line?.trim().strip_prefix(words)?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '-');
    rest.get(..end.unwrap_or(rest.len()))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::dialect::Dialect;
    use crate::table::check;

    #[test]
    fn the_end_of_a_command_is_what_its_host_says() {
        let table = include_str!("../../../tests/hooks/statuses.tsv");
        check(table, |[host, event, told, _]| {
            let told = serde_json::from_str(told).unwrap();
            match (Dialect::of(host).unwrap().ending)(event, &told) {
                Ending {
                    ok: Some(ok),
                    exit_code: None,
                } => if ok { "worked" } else { "failed" }.to_owned(),
                ending => {
                    assert_eq!(ending, Ending::code(ending.exit_code));
                    Vec::from_iter(ending.exit_code.map(|code| code.to_string())).concat()
                }
            }
        });
    }
}
