//! The value of a hint.

use serde_json::{Map, Value, json};

use super::{Reader, described, systems};

const DESCRIPTION: &str = "The fact: plain text, or an object with a `type`; \
                           one of type `json` has any JSON value as its `data`.";

pub(super) fn value(reader: Reader) -> Value {
    reader.part(
        "Value",
        DESCRIPTION,
        || json!({"anyOf": [{"type": "string"}, any_kind()]}),
    )
}

/// Plain text, or one of the kinds, each with the fields that it has.
pub(super) fn text_or_kind() -> Value {
    let mut any_of = vec![json!({"type": "string", "description": "Plain text."})];
    any_of.extend(kinds().map(|kind| {
        let mut properties = kind.fields;
        properties.insert("type".to_owned(), json!({"const": kind.name}));
        let required = [&["type"], kind.required].concat();
        Reader::Program.closed(json!({
            "type": "object",
            "description": kind.description,
            "properties": properties,
            "required": required
        }))
    }));
    described(json!({"anyOf": any_of}), DESCRIPTION)
}

/// All kinds as one object with the fields of all of them.
fn any_kind() -> Value {
    let mut properties = Map::new();
    let mut names = Vec::new();
    for kind in kinds() {
        names.push(kind.name);
        // That data may be anything takes a schema that not every client reads.
        let fields = kind.fields.into_iter().filter(|(name, _)| name != "data");
        properties.extend(fields);
    }
    properties.insert("type".to_owned(), json!({"type": "string", "enum": names}));
    json!({"type": "object", "properties": properties, "required": ["type"]})
}

struct Kind {
    name: &'static str,
    description: &'static str,
    fields: Map<String, Value>,
    required: &'static [&'static str],
}

fn kinds() -> [Kind; 4] {
    let kind = |name, description, required, fields: Value| Kind {
        name,
        description,
        fields: fields.as_object().cloned().unwrap_or_default(),
        required,
    };
    [
        kind(
            "command",
            "A command line. It is data; nothing is executed.",
            &["cmd"],
            json!({
                "cmd": {"type": "string", "description": "Of a command: the command line."},
                "shell": {
                    "type": "string", "enum": ["bash", "sh", "zsh", "fish", "powershell", "cmd"],
                    "description": "Of a command: the shell it is written for."
                }
            }),
        ),
        kind(
            "path",
            "A path.",
            &["abs"],
            json!({
                "abs": {"type": "string", "description": "Of a path: absolute, without `..`."},
                "os": systems("Of a path: where it is meant.")
            }),
        ),
        kind(
            "template",
            "A template. It is data; nothing is filled in.",
            &["format", "body"],
            json!({
                "format": {
                    "type": "string", "enum": ["mustache", "handlebars", "jinja", "interpolate"],
                    "description": "Of a template: its language."
                },
                "body": {"type": "string", "description": "Of a template: its text."},
                "defaults": {
                    "type": "object", "additionalProperties": {"type": "string"},
                    "description": "Of a template: values for blanks left open."
                }
            }),
        ),
        kind(
            "json",
            "Any JSON value.",
            &["data"],
            json!({"data": {"description": "Of json: the value."}}),
        ),
    ]
}
