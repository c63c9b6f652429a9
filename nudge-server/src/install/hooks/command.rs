//! The command of a hook, as a config has it: one line for a shell. On Windows hosts start it
//! without one, by `cmd` or by a Unix shell; slashes and double quotes mean the same to all.
//!
//! Some hosts take the program and its arguments apart, and need no shell. But
//! an older host that knows no arguments would start the program without them,
//! and take the status of what is no command for a veto.

use crate::install::entry::is_nudge;
use crate::platform::desktop::IS_WINDOWS;

/// What stands around the command, so that a host goes on where the program is gone or breaks:
/// some take the status of a shell that did not find it for a refusal.
pub(super) type Guard = [&'static str; 2];

pub(super) const UNGUARDED: Guard = ["", ""];
pub(super) const OR_TRUE: Guard = ["", " || true"];

/// The shell alone has the pipes to the host, which would wait for a program that hangs, although
/// its time is over, for as long as that has one; and shows its user what it complains of.
pub(super) const BY_SHELL: Guard = ["exec 2>/dev/null; o=$(", "); printf %s \"$o\""];

pub(super) fn line(program: &str, host: &str, event: Option<&str>, guard: Guard) -> String {
    let event = event.map(|event| format!(" {event}")).unwrap_or_default();
    // There hosts start it by shells that have no such words in common.
    let [before, after] = if IS_WINDOWS { UNGUARDED } else { guard };
    format!("{before}{} hook {host}{event}{after}", quoted(program))
}

pub(super) fn status_line(program: &str) -> String {
    format!("{} statusline", quoted(program))
}

/// Whether a line is one that prints ours.
pub(super) fn is_status_line(line: &str) -> bool {
    line.strip_suffix(" statusline").and_then(nudge).is_some()
}

/// The program that a line starts, if the line is ours.
pub(super) fn program(line: &str, host: &str) -> Option<String> {
    let (program, words) = line.rsplit_once(" hook ")?;
    let program = program.strip_prefix(BY_SHELL[0]).unwrap_or(program);
    let mut words = words.split(|letter: char| letter.is_whitespace() || letter == ')');
    let is_ours = words.next() == Some(host);
    nudge(program).filter(|_| is_ours)
}

/// The program that a word names, if it is Nudge.
fn nudge(word: &str) -> Option<String> {
    unquoted(word.trim()).filter(|path| is_nudge(path))
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    if IS_WINDOWS {
        return slashed(word);
    }
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

/// A path of Windows as anything there reads it back.
fn slashed(word: &str) -> String {
    let word = word.replace('\\', "/");
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-:".contains(letter);
    if word.chars().all(is_plain) {
        return word;
    }
    format!("\"{word}\"")
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
            let endings = [
                (None, UNGUARDED),
                (None, BY_SHELL),
                (Some("postToolUse"), OR_TRUE),
            ];
            for (event, guard) in endings {
                let line = line(path, "copilot", event, guard);
                assert_eq!(program(&line, "copilot").as_deref(), Some(path), "{line}");
                assert_eq!(program(&line, "claude"), None, "{line}");
            }
        }
        assert_eq!(
            line("/it's/nudge", "claude", None, UNGUARDED),
            r"'/it'\''s/nudge' hook claude"
        );
        assert!(is_status_line(&status_line("/it's/nudge")));
        for other in [
            "",
            "statusline",
            "mine statusline",
            "nudge statusline | tr a b",
        ] {
            assert!(!is_status_line(other), "{other}");
        }
    }

    #[test]
    fn a_path_of_windows_has_slashes_and_double_quotes() {
        for (path, word) in [
            (r"C:\bin\nudge.exe", "C:/bin/nudge.exe"),
            (r"C:\A b (x86)\nudge.exe", "\"C:/A b (x86)/nudge.exe\""),
        ] {
            assert_eq!(slashed(path), word);
            let read = program(&format!("{word} hook claude"), "claude");
            assert_eq!(read, Some(path.replace('\\', "/")));
        }
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
    }
}
