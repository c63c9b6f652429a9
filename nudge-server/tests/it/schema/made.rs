//! What the tools take: the params of their operations, in a form that a model and every
//! client can read.
//!
//! Some clients drop all tools of a server for one schema that they cannot read, so there is
//! no boolean schema here, no `format`, no list of types and no `$ref`. A schema says less
//! than the core takes: a model pays for every word, in every session, and needs one way to
//! say a thing and not three.

use nudge::{Operation, Schemas};
use serde_json::{Map, Value, json};

/// What the instructions explain once, or a client passes on as it is.
const PLAIN: [&str; 3] = ["context", "payload", "scope"];

/// What they say where they are needed most, since one host shows its model no instructions: in
/// which tool, of which field, what.
const EXPLAINED: [(Operation, &str, &str); 2] = [
    (
        Operation::GetHint,
        "/properties/context",
        "Where you are: {\"cwd\": \"/absolute/folder\"}; `branch`, `os` and `env` ({\"NAME\": \"value\"}) if they differ.",
    ),
    (
        Operation::SetHint,
        "/properties/meta/properties/scope",
        "Where it applies, all of it: {\"branch\": [\"hotfix/*\"], \"cwd_glob\": [\"./web/**\"], \"os\": [\"linux\"], \
         \"env_match\": {\"NAME\": [\"value\"]}}; {} is everywhere.",
    ),
];

/// What is not said: it is the user's, it counts for nothing when an agent says it, or there
/// is only one way to say it.
const UNSAID: [&str; 11] = [
    "added_by",
    "anchors",
    "anywhere",
    "pin",
    "delta",
    "format",
    "from_scope",
    "include_secrets",
    "seed",
    "sensitivity",
    "source",
];

/// The fields whose names do not say enough.
const DESCRIBED: [&str; 8] = [
    "alternatives",
    "include_ineligible",
    "limit",
    "outcome",
    "regex",
    "sets",
    "text",
    "ttl",
];

/// What the tools of these operations take, in their order.
pub(super) fn schemas(operations: &[Operation]) -> Vec<Value> {
    let mut schemas = Schemas::default();
    let made = operations.iter();
    let made = made.map(|operation| operation.schemas(&mut schemas));
    let made: Vec<[Value; 2]> = made.collect();
    let parts = schemas.parts();
    let made = operations
        .iter()
        .zip(&made)
        .map(|(operation, [params, _])| {
            let mut said = plain(params, &parts);
            for (_, field, words) in EXPLAINED.iter().filter(|(of, ..)| of == operation) {
                said.pointer_mut(field).unwrap()["description"] = (*words).into();
            }
            said["properties"]["full"] = json!({"type": "boolean"});
            said
        });
    made.collect()
}

/// A schema with nothing but what every client reads.
fn plain(schema: &Value, parts: &Map<String, Value>) -> Value {
    let path = schema.get("$ref").and_then(Value::as_str);
    let part = path.and_then(|path| parts.get(path.rsplit('/').next()?));
    if let Some(part) = part {
        return plain(part, parts);
    }
    if let Some(Value::Array(alternatives)) = schema.get("anyOf") {
        let is_kind = |schema: &&Value| schema.pointer("/properties/type/const").is_some();
        // The usual spelling comes first.
        let usual = alternatives.iter().find(|schema| !is_kind(schema));
        let usual = usual.map(|usual| plain(usual, parts)).unwrap_or_default();
        return if alternatives.iter().any(|schema| is_kind(&schema)) {
            json!({"anyOf": [usual, {"type": "object"}]})
        } else {
            usual
        };
    }
    let words = schema.as_object().into_iter().flatten();
    let words = words.filter_map(|(word, given)| {
        let given = match (&**word, given) {
            ("properties", Value::Object(fields)) => {
                let fields = fields.iter();
                let fields = fields.filter(|(name, _)| !UNSAID.contains(&&***name));
                let fields = fields.map(|(name, field)| (name.clone(), said(name, field, parts)));
                Value::Object(fields.collect())
            }
            ("items", given) | ("additionalProperties", given @ Value::Object(_)) => {
                plain(given, parts)
            }
            ("type" | "enum" | "minimum" | "maximum" | "required", given) => given.clone(),
            _ => return None,
        };
        Some((word.clone(), given))
    });
    Value::Object(words.collect())
}

/// A field, with its description if it needs one.
fn said(name: &str, field: &Value, parts: &Map<String, Value>) -> Value {
    if PLAIN.contains(&name) {
        return json!({"type": "object"});
    }
    let mut said = plain(field, parts);
    if let (true, Some(words)) = (DESCRIBED.contains(&name), field.get("description")) {
        said["description"] = words.clone();
    }
    said
}
