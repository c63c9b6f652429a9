//! The status line of a host. A host has one, so ours is set only where there is none, and never
//! in a project's file, which goes before what its readers have set for themselves.

use super::command;
use crate::install::format::{Edit, Flaw, Format, Value};

pub(super) const HOST: &str = "claude";

pub(super) const KEY: &str = "statusLine";

pub(super) fn set(format: Format, text: &str, program: &str) -> Result<String, Flaw> {
    let field = |name: &str, value: String| (name.to_owned(), Value::Text(value));
    let line = vec![
        field("type", "command".to_owned()),
        field("command", command::status_line(program)),
    ];
    format.edit(text, &[Edit::set(&[KEY], Value::Map(line))])
}

/// A text without ours.
pub(super) fn unset(format: Format, text: &str) -> Result<String, Flaw> {
    let command = format.look(text, &[KEY, "command"]).ok().flatten();
    match command.and_then(|found| found.value) {
        Some(Value::Text(line)) if command::is_status_line(&line) => {
            format.edit(text, &[Edit::remove(&[KEY])])
        }
        _ => Ok(text.to_owned()),
    }
}
