//! The command of a hook, as a config has it: one line for a shell.
//!
//! Some hosts take the program and its arguments apart, and need no shell. But
//! an older host that knows no arguments would start the program without them,
//! and take the status of what is no command for a veto.

/// The line that runs a hook.
pub(super) fn line(program: &str, host: &str, event: Option<&str>) -> String {
    let event = event.map(|event| format!(" {event}")).unwrap_or_default();
    format!("{} hook {host}{event}", quoted(program))
}

/// The program that a line starts, if the line is ours.
pub(super) fn program(line: &str, host: &str) -> Option<String> {
    let (program, words) = line.rsplit_once(" hook ")?;
    let program = unquoted(program.trim())?;
    let is_nudge = program.rsplit(['/', '\\']).next() == Some("nudge");
    let is_ours = words.split_whitespace().next() == Some(host);
    (is_nudge && is_ours).then_some(program)
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+@%,:".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A word that a shell reads, without its quotes; `None` for more than one word.
fn unquoted(word: &str) -> Option<String> {
    if let Some(inner) = word
        .strip_prefix('\'')
        .and_then(|word| word.strip_suffix('\''))
    {
        return Some(inner.replace(r"'\''", "'"));
    }
    if let Some(inner) = word
        .strip_prefix('"')
        .and_then(|word| word.strip_suffix('"'))
    {
        return Some(inner.to_owned());
    }
    (!word.is_empty() && !word.contains(char::is_whitespace)).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_again_whatever_its_path() {
        for path in [
            "/usr/local/bin/nudge",
            "/home/ada lovelace/bin/nudge",
            "/it's/nudge",
            "/a hook b/nudge",
            "/$(reboot)/nudge",
        ] {
            for event in [None, Some("postToolUse")] {
                let line = line(path, "copilot", event);
                assert_eq!(program(&line, "copilot").as_deref(), Some(path), "{line}");
                assert_eq!(program(&line, "claude"), None, "{line}");
            }
        }
        assert_eq!(
            line("/it's/nudge", "claude", None),
            r"'/it'\''s/nudge' hook claude"
        );
    }

    #[test]
    fn a_line_of_somebody_else_is_none_of_ours() {
        for other in [
            "",
            "nudge",
            "nudge hooks claude",
            "notnudge hook claude",
            "cd /x && nudge hook claude",
            "echo hook claude",
            "/usr/bin/nudge hook claude-code",
        ] {
            assert_eq!(program(other, "claude"), None, "{other}");
        }
        for ours in [
            "nudge hook claude",
            "\"/a b/nudge\" hook claude",
            "nudge hook claude Stop",
        ] {
            assert!(program(ours, "claude").is_some(), "{ours}");
        }
    }
}
