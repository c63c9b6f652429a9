//! How a host wants to be told.

use std::io::{Write, stdout};

use serde_json::{Value, json};

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `hookSpecificOutput.additionalContext`, beside the name of the event.
    Specific,
    /// A field of its own, by this name.
    Field(&'static str),
}

/// What a host reads.
pub(super) fn shaped(shape: Shape, event: &str, text: &str) -> Value {
    match shape {
        Shape::Specific => {
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
        }
        Shape::Field(name) => json!({ name: text }),
    }
}

/// Prints it in one piece. A host that has stopped listening misses nothing.
pub(super) fn print(shape: Shape, event: &str, text: &str) {
    let line = format!("{}\n", shaped(shape, event, text));
    let mut out = stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
