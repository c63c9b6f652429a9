//! What is known about a hint.

use nudge::Operation;
use serde_json::{Value, json};

use super::place::scope;
use super::{Reader, reference, strings};
use crate::primary::operations::Method;

/// What a set changes of it.
pub(super) fn patch(reader: Reader) -> Value {
    let words = "What is known about the fact. What is left out stays as it was.";
    reader.part("MetaPatch", words, || patch_fields(reader))
}

pub(super) fn patch_fields(reader: Reader) -> Value {
    reader.params(json!({"type": "object", "properties": fields(reader)}))
}

/// What there is of it in an answer.
pub(super) fn known() -> Value {
    let mut properties = fields(Reader::Program);
    properties["scope"] = reference("Scope");
    properties["origin"] = reference("Origin");
    json!({"type": "object", "properties": properties})
}

fn fields(reader: Reader) -> Value {
    let found = format!(
        "Such as `build` or `docker`; {} finds hints by them.",
        reader.name(Method::Store(Operation::Query))
    );
    // A client of MCP speaks for a program, and no program is the user.
    let (sources, source, added_by) = match reader {
        Reader::Model => (
            json!(["agent", "tool-output", "file-import"]),
            "`agent` when absent.",
            "Who added it; the name of this client when absent.",
        ),
        Reader::Program => (
            json!(["user", "agent", "tool-output", "file-import"]),
            "`user` when absent.",
            "Who added it.",
        ),
    };
    json!({
        "reason": {"type": "string", "description": "Why it is so; shown with the hint."},
        "tags": strings(&found),
        "priority": {"type": "integer", "minimum": 1, "maximum": 10, "description": "5 when absent."},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "How sure you are; 0.5 when absent."},
        "ttl": {"type": "string", "description": "`session`, or an ISO 8601 duration such as `PT2H` after which the hint is gone."},
        "sensitivity": {"type": "string", "enum": ["normal", "secret"], "description": "`secret` stores what the secret guard would refuse, masked and left out of exports."},
        "scope": scope(reader, "Where the hint applies; every condition must hold. `{}` is everywhere. Left out, a slot that holds one hint keeps that hint's scope."),
        "source": {"type": "string", "enum": sources, "description": source},
        "added_by": {"type": "string", "description": added_by}
    })
}
