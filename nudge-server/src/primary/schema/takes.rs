//! What the methods take.

use nudge::Operation;
use serde_json::{Value, json};

use super::place::{context, scope};
use super::{Reader, meta, strings, value};
use crate::primary::operations::Method;

pub(super) fn set_hint(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "value": value::value(reader),
            "meta": meta::patch(reader),
            "if_match_version": {"type": "integer", "minimum": 0, "description": "Write only if the hint has this version; 0: only if there is none."}
        },
        "required": ["component", "key", "value"]
    }))
}

pub(super) fn get_hint(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "context": context(reader, where_the_caller_is(reader)),
            "alternatives": {"type": "integer", "minimum": 0, "maximum": 20, "description": "How many more fitting hints of this key to return; 0 when absent."}
        },
        "required": ["component", "key"]
    }))
}

pub(super) fn query(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": component(),
            "keys": strings("Only these keys."),
            "tags": strings("Only hints with one of these tags."),
            "tags_mode": {"type": "string", "enum": ["any", "all"], "description": "Whether one tag is enough (`any`, when absent) or all are needed."},
            "regex": {"type": "string", "description": "Only hints in whose key, value, tags or reason this is found."},
            "context": context(reader, where_the_caller_is(reader)),
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "The most hints to return; 10 when absent."},
            "include_ineligible": {"type": "boolean", "description": "Also list, without their values, hints that do not apply here, and why."}
        }
    }))
}

pub(super) fn delete_hint(reader: Reader) -> Value {
    let get = reader.name(Method::Store(Operation::GetHint));
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "scope": scope(reader, "Delete the variant with this very scope."),
            "context": context(reader, &format!("Delete the variant that {get} would choose there.")),
            "all": {"type": "boolean", "description": "Delete every variant of the key."}
        },
        "required": ["component", "key"]
    }))
}

pub(super) fn list_components(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": {"type": "string", "description": "Only this component, with its keys."},
            "context": context(reader, "Count only what applies there.")
        }
    }))
}

pub(super) fn bump(reader: Reader) -> Value {
    let get = reader.name(Method::Store(Operation::GetHint));
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "outcome": {"type": "string", "enum": ["ok", "fail"], "description": "Whether it worked; `fail` makes it rank lower."},
            "delta": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "How many uses to add; 1 when absent."},
            "scope": scope(reader, "Bump the variant with this very scope."),
            "context": context(reader, &format!("Bump the variant that {get} chooses there."))
        },
        "required": ["component", "key"]
    }))
}

pub(super) fn export(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "format": {"type": "string", "enum": ["json"], "description": "`json`, also when absent."},
            "component": {"type": "string", "description": "Only this component."},
            "tags": strings("Only hints with one of these tags."),
            "include_secrets": {"type": "boolean", "description": "Also write hints that are marked as secret."}
        }
    }))
}

pub(super) fn import(reader: Reader) -> Value {
    let export = reader.name(Method::Store(Operation::Export));
    reader.params(json!({
        "type": "object",
        "properties": {
            "payload": {
                "type": "object",
                "description": format!("What {export} gave as `payload`."),
                "properties": {
                    "schema_version": {"type": "string", "enum": ["1.0", "1.1"]},
                    "components": {"type": "object", "description": "Component, `hints`, key, then a hint or a list of them."}
                },
                "required": ["schema_version", "components"]
            },
            "mode": {"type": "string", "enum": ["merge", "replace"], "description": "`merge`, when absent: the newer one of two wins. `replace`: all that is there goes."},
            "dry_run": {"type": "boolean", "description": "Only say what would happen."}
        },
        "required": ["payload"]
    }))
}

pub(super) fn set_context(reader: Reader) -> Value {
    let items = match reader {
        Reader::Model => strings("Such as paths, URLs or port numbers, as text."),
        Reader::Program => json!({
            "type": "array",
            "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        }),
    };
    reader.params(json!({
        "type": "object",
        "properties": {
            "sets": {
                "type": "object",
                "description": "The items of each set by its name: `files`, `endpoints`, `ports`, or a name of your own. The newest item comes last; an empty list takes the set away.",
                "additionalProperties": items
            },
            "mode": {"type": "string", "enum": ["replace", "merge"], "description": "What becomes of the items that a named set has: they go (`replace`, when absent) or stay (`merge`)."}
        },
        "required": ["sets"]
    }))
}

pub(super) fn get_context(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Only this set, such as `files`; all when absent."}
        }
    }))
}

pub(super) fn propose(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "value": value::value(reader),
            "meta": meta::patch(reader),
            "why": {"type": "string", "description": "Why it is proposed, in a sentence."}
        },
        "required": ["component", "key", "value", "why"]
    }))
}

pub(super) fn by_id(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 0, "description": "The number of the proposal."}
        },
        "required": ["id"]
    }))
}

pub(super) fn event(reader: Reader) -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    let mut schema = reader.params(json!({
        "type": "object",
        "properties": {
            "event": text("`session_start`, `prompt`, `before_command`, `after_command` or `session_end`; of any other nothing follows."),
            "host": text("The program whose hook it is, such as `claude`."),
            "session": text("What the host calls its session."),
            "reason": text("Why a session starts: `startup`, `resume`, `clear` or `compact`."),
            "command": text("The command that is about to run, or has run."),
            "ok": {"type": "boolean", "description": "Whether it worked; nothing is counted when absent."},
            "exit_code": {"type": "integer", "description": "How it ended; 0 is success where `ok` is absent."},
            "output": text("The end of what it printed."),
            "prompt": text("What the user asked."),
            "budget": {"type": "integer", "description": "The most tokens of a text at the start of a session; 400 when absent."},
            "context": context(reader, where_the_caller_is(reader))
        },
        "required": ["event"]
    }));
    // Hosts say more with every version, and what is not known is passed over.
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("additionalProperties");
    }
    schema
}

fn component() -> Value {
    json!({
        "type": "string", "minLength": 1,
        "description": "A service, module or folder by name, such as `http-proxy`."
    })
}

fn key() -> Value {
    json!({
        "type": "string", "minLength": 1,
        "description": "The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`."
    })
}

fn where_the_caller_is(reader: Reader) -> &'static str {
    match reader {
        Reader::Model => {
            "Where you are, if it is not the folder that this server runs in. What is left out is filled in."
        }
        Reader::Program => {
            "Where the caller is. Nothing is inferred: a condition whose fact is not given fails."
        }
    }
}
