//! How a command ended, as each host tells it. Where a host leaves it open, so
//! does this: what is counted must have been seen.

use serde_json::Value;

use super::path::{is_true, number, text};
use super::transcript;

/// What is known of the end of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ending {
    /// Whether it worked.
    pub(super) ok: Option<bool>,
    /// Its exit status.
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
    let written = || transcript::exit_code(told).ok().flatten();
    Ending::code(said.or_else(written))
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
    use serde_json::json;

    use super::*;

    fn codes(ending: fn(&str, &Value) -> Ending, event: &str, cases: &[(Value, Option<i64>)]) {
        for (told, code) in cases {
            assert_eq!(ending(event, told), Ending::code(*code), "{told}");
        }
    }

    #[test]
    fn claude_code_tells_it_by_its_events() {
        let worked = Ending {
            ok: Some(true),
            exit_code: None,
        };
        let told = json!({"tool_response": {"stdout": "Exit code 1", "interrupted": false}});
        assert_eq!(claude("PostToolUse", &told), worked);
        for open in [
            json!({"tool_response": {"interrupted": true}}),
            json!({"tool_response": {"backgroundTaskId": "b1"}}),
            json!({"tool_input": {"run_in_background": true}}),
        ] {
            assert_eq!(claude("PostToolUse", &open), Ending::UNKNOWN, "{open}");
        }
        codes(
            claude,
            "PostToolUseFailure",
            &[
                (json!({"error": "Exit code 1"}), Some(1)),
                (
                    json!({"error": "Exit code 127\nmake: not found"}),
                    Some(127),
                ),
                (json!({"error": "Exit code 1", "is_interrupt": true}), None),
                (json!({"error": "the user does not want this"}), None),
                (json!({"error": "boom\nExit code 1"}), None),
                (json!({}), None),
            ],
        );
    }

    /// Events of the real hosts, whose commands printed what looks like a status.
    #[test]
    fn what_a_command_prints_is_no_status() {
        let gemini_said = |seen: &str, printed: &str| {
            let seen = format!("<untrusted_context>\n{seen}\n</untrusted_context>");
            json!({"tool_response": {"llmContent": seen, "returnDisplay": printed}})
        };
        let forged = "Output: hello\nExit Code: 127\nProcess Group PGID: 14139";
        let failed = "Output: Exit code: 0\nOutput:\nx\nExit Code: 1\nProcess Group PGID: 14186";
        codes(
            gemini,
            "AfterTool",
            &[
                (gemini_said(forged, "hello\nExit Code: 127"), Some(0)),
                (gemini_said(failed, "Exit code: 0\nOutput:\nx"), Some(1)),
            ],
        );
        // Its transcript is there, and says nothing of this call.
        let transcript = tempfile::NamedTempFile::new().unwrap();
        let told = json!({"tool_response": "Exit code: 0\nOutput:\nx\n", "tool_use_id": "call_1",
            "transcript_path": transcript.path()});
        codes(codex, "PostToolUse", &[(told, None)]);
    }

    #[test]
    fn codex_is_believed_only_where_it_says_so_itself() {
        let printed = "Output:\nExit code: 1";
        codes(
            codex,
            "PostToolUse",
            &[
                (json!({"tool_response": "all good"}), None),
                (
                    json!({"tool_response": "Exit code: 0\nWall time: 1 seconds\nOutput:\nx"}),
                    None,
                ),
                (json!({"tool_response": printed}), None),
                (
                    json!({"tool_response": {"output": "x", "metadata": {"exit_code": 0}}}),
                    Some(0),
                ),
                (json!({"tool_response": {"exit_code": 1}}), Some(1)),
            ],
        );
    }

    #[test]
    fn gemini_cli_shows_a_status_only_where_it_is_not_0() {
        let seen = |text: &str, printed: &str| json!({"tool_response": {"llmContent": text, "returnDisplay": printed}});
        codes(
            gemini,
            "AfterTool",
            &[
                (
                    seen("Output: built\nProcess Group PGID: 7", "built\n"),
                    Some(0),
                ),
                (
                    seen(
                        "<untrusted_context>\nOutput: (empty)\n</untrusted_context>",
                        "",
                    ),
                    Some(0),
                ),
                (
                    seen(
                        "Output: (empty)\nExit Code: 1",
                        "Command exited with code: 1",
                    ),
                    Some(1),
                ),
                (
                    seen(
                        "<untrusted_context>\nOutput: no rule\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>",
                        "no rule",
                    ),
                    Some(2),
                ),
                (seen("Output: x\nError: spawn failed", "x"), None),
                (
                    seen("Output: x\nSignal: 9\nProcess Group PGID: 7", "x"),
                    None,
                ),
                (
                    seen("Output: Exit Code: 1\nfine", "Exit Code: 1\nfine"),
                    Some(0),
                ),
                (
                    seen(
                        "Command was cancelled by user before it could complete.",
                        "",
                    ),
                    None,
                ),
                (
                    json!({"tool_response": {"llmContent": [{"text": "Output: x\nExit Code: 1"}],
                        "returnDisplay": "x"}}),
                    Some(1),
                ),
                // What was printed is not told beside it, or was cut.
                (
                    json!({"tool_response": {"llmContent": "Output: x\nExit Code: 127"}}),
                    None,
                ),
                (seen("Output: x [...]\nExit Code: 127", "x and more"), None),
                (seen("Output: xy\nExit Code: 127", "x"), None),
                (json!({}), None),
            ],
        );
    }

    #[test]
    fn copilot_cli_says_it_last() {
        let seen =
            |text: &str| json!({"toolResult": {"resultType": "success", "textResultForLlm": text}});
        codes(
            copilot,
            "postToolUse",
            &[
                (seen("boom\n<exited with exit code 1>"), Some(1)),
                (
                    seen("ok\n<shellId: 0 completed with exit code 0>\n"),
                    Some(0),
                ),
                (seen("<exited with exit code 1>\nand then"), None),
                (seen("exit code 1"), None),
                (seen(""), None),
            ],
        );
    }

    #[test]
    fn cursor_says_it_in_the_result_or_by_its_event() {
        codes(
            cursor,
            "postToolUse",
            &[
                (
                    json!({"tool_output": "{\"exitCode\":0,\"stdout\":\"x\"}"}),
                    Some(0),
                ),
                (json!({"tool_output": {"exit_code": 3}}), Some(3)),
                (json!({"tool_output": "All tests passed"}), None),
            ],
        );
        let failed = |kind: &str| cursor("postToolUseFailure", &json!({"failure_type": kind})).ok;
        assert_eq!(failed("error"), Some(false));
        assert_eq!(failed("permission_denied"), None);
        assert_eq!(failed("timeout"), None);
    }
}
