//! The commands that a file writes down.

use serde_json::{Value, json};

use crate::project::check::command_of;
use crate::project::moved;

/// Blocks of Markdown that are typed into a shell.
const SHELLS: [&str; 6] = ["sh", "bash", "shell", "zsh", "console", "terminal"];

/// A command that somebody wrote down: its line, counted from 1, where it stands in a file; the
/// folder that it is for, from the root, which is empty where it does not say; and itself.
pub(super) type Written = (Option<usize>, String, String);

/// The commands of a text in a folder: of hints as JSON, or of Markdown.
pub(super) fn written(text: &str, folder: &str) -> Vec<Written> {
    match serde_json::from_str(text) {
        Ok(hints) => of_hints(&hints, text, folder),
        Err(_) => of_markdown(text, folder),
    }
}

/// The commands in backticks, and in blocks for a shell.
fn of_markdown(text: &str, folder: &str) -> Vec<Written> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    // Where the shell of a block is, as far as that can be told.
    let mut at = None;
    for (line, number) in text.lines().zip(1..) {
        let code = line.trim();
        if let Some(language) = ["```", "~~~"].iter().find_map(|it| code.strip_prefix(it)) {
            fence = fence.is_none().then(|| language.trim());
            at = Some(folder.to_owned());
            continue;
        }
        let typed = code.strip_prefix("$ ");
        let commands: Vec<&str> = match fence {
            Some(language) if SHELLS.contains(&language) => vec![typed.unwrap_or(code)],
            Some(_) => typed.into_iter().collect(),
            None => line.split('`').skip(1).step_by(2).collect(),
        };
        for command in commands {
            at = if fence.is_none() {
                Some(folder.to_owned())
            } else {
                at
            };
            for part in command.split("&&").map(str::trim) {
                if let Some(to) = part.strip_prefix("cd ") {
                    at = at.and_then(|at| moved(&at, to));
                } else if let Some(folder) = at.clone() {
                    found.push((Some(number), folder, part.to_owned()));
                }
            }
        }
    }
    found
}

/// The commands among the hints of an export.
fn of_hints(hints: &Value, text: &str, folder: &str) -> Vec<Written> {
    let entries = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let components = entries(&hints["components"]).into_iter();
    let slots = components.flat_map(|(_, component)| entries(&component["hints"]));
    let variants = slots.flat_map(|(_, slot)| match slot {
        Value::Array(variants) => variants,
        hint => vec![hint],
    });
    let mut found = Vec::new();
    for hint in variants {
        if let Some((folder, command)) = command_of(&hint, folder) {
            let before = text.split(&json!(command).to_string()).next();
            let line = before.map(|before| before.split('\n').count());
            found.push((line, folder, command));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written down, as `line folder command`.
    fn found(text: &str) -> Vec<String> {
        let line =
            |(line, folder, command): Written| format!("{} {folder} {command}", line.unwrap());
        written(text, "docs").into_iter().map(line).collect()
    }

    #[test]
    fn commands_are_taken_from_backticks_and_shells() {
        for (text, expected) in [
            (
                "Run `make test` or `make lint`.",
                &["1 docs make test", "1 docs make lint"][..],
            ),
            (
                "```sh\n$ make\n  make x && make y\n```",
                &["2 docs make", "3 docs make x", "3 docs make y"],
            ),
            (
                "```bash\ncd web\nmake\ncd ..\nmake\n```\n`make`",
                &["3 docs/web make", "5 docs make", "7 docs make"],
            ),
            (
                "`cd ../api && make`, `make`",
                &["1 api make", "1 docs make"],
            ),
            ("```sh\ncd \"$X\"\nmake\n```", &[]),
            ("```python\nmake\n$ make\n```\n", &["3 docs make"]),
            ("~~~\nmake\n~~~\nmake", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn commands_are_taken_from_hints() {
        let hints = r#"{"components": {"a": {"hints": {
            "b": {"value": "make x"},
            "c": [{"value": {"type": "command", "cmd": "make y"}, "meta": {"scope": {"cwd_glob": "./web/**"}}},
                  {"value": {"type": "path", "path": "z"}}],
            "d": {"value": "just run the tests"},
            "e": {"value": "make z", "meta": {"scope": {"cwd_glob": ["**/web*"]}}}}}}}"#;
        assert_eq!(found(hints), ["2 docs make x", "3 docs/web make y"]);
        assert_eq!(found("{}"), Vec::<String>::new());
    }
}
