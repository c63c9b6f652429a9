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

pub(super) fn shaped(shape: Shape, event: &str, text: &str) -> Value {
    match shape {
        Shape::Specific => {
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
        }
        Shape::Field(name) => json!({ name: text }),
    }
}

/// How a host is told to hold a command back, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// `permissionDecision`, in `hookSpecificOutput`.
    Specific,
    /// The same by itself.
    Flat,
    /// `decision`, and what its user is shown.
    Decision,
    /// A field of its own, by this name.
    Field(&'static str),
    /// It cannot.
    None,
}

pub(super) fn refused(refusal: Refusal, event: &str, why: &str) -> Value {
    let mut decided = json!({"permissionDecision": "deny", "permissionDecisionReason": why});
    match refusal {
        Refusal::Specific => {
            decided["hookEventName"] = event.into();
            json!({ "hookSpecificOutput": decided })
        }
        Refusal::Flat => decided,
        Refusal::Decision => json!({"decision": "deny", "reason": why, "systemMessage": why}),
        Refusal::Field(name) => json!({ name: why }),
        Refusal::None => Value::Null,
    }
}

/// Prints it in one piece. A host that has stopped listening misses nothing.
pub(super) fn print(answer: &Value) {
    let line = format!("{answer}\n");
    let mut out = stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
