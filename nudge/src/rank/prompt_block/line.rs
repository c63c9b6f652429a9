//! The lines of a block.

use super::PickedHint;
use crate::active::is_active;
use crate::hint::{Hint, HintValue};
use crate::model::name::Name;

/// How many other keys of a component are named.
const MOST_KEYS: usize = 5;

pub(super) fn left_out(count: usize) -> String {
    match count {
        1 => "(1 more hint applies here; ask Nudge for it)\n".to_owned(),
        _ => format!("({count} more hints apply here; ask Nudge for them)\n"),
    }
}

pub(super) fn line(told: &PickedHint) -> String {
    let PickedHint {
        component,
        key,
        hint,
        note,
        is_here,
        also,
        ..
    } = told;
    let reason = note.as_deref().or(hint.meta.reason.as_deref());
    let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
    let of = if *is_here {
        ""
    } else {
        &format!("{component}/")
    };
    let said = [of, key, ": ", &quoted(hint), &reason, &named(also)].concat();
    let mut line = format!("- [{}] ", hint.told_by());
    for letter in said.chars() {
        // A value with line breaks could otherwise pass for further hints.
        if is_active(letter) {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line.push('\n');
    line
}

/// The other keys of a component, as the end of a line.
fn named(keys: &[Name]) -> String {
    let (shown, more) = keys.split_at_checked(MOST_KEYS).unwrap_or((keys, &[]));
    let more = (!more.is_empty()).then(|| format!("{} more", more.len()));
    let all: Vec<&str> = shown
        .iter()
        .map(|key| &**key)
        .chain(more.as_deref())
        .collect();
    if all.is_empty() {
        return String::new();
    }
    format!("; also {}", all.join(", "))
}

/// The value as it is told: a command as code, so that where it ends is plain.
fn quoted(hint: &Hint) -> String {
    let text = hint.value.text();
    let is_command = matches!(hint.value, HintValue::Command(_));
    let marks = ['`', '"'].into_iter().filter(|_| is_command);
    match marks.into_iter().find(|mark| !text.contains(*mark)) {
        Some(mark) => format!("{mark}{text}{mark}"),
        None => text.into_owned(),
    }
}
