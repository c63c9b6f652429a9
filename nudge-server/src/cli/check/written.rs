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
