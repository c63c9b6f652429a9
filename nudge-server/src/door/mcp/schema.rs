//! The JSON Schemas of the tools, written by hand.
//!
//! They are for models and for clients, and say less than the core checks. Some
//! clients drop every tool of a server for one schema that they cannot read, so
//! there is no boolean schema here, no `format`, no list of types and no `$ref`;
//! a field that may hold several types says so in words.

mod gives;
mod takes;

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// What the tool of a method takes and gives, as schemas.
pub(super) fn of(method: &str) -> (Arc<JsonObject>, Arc<JsonObject>) {
    let (takes, gives) = match method.strip_prefix("nudge.").unwrap_or(method) {
        "set_hint" => (takes::set_hint(), gives::hint_set()),
        "get_hint" => (takes::get_hint(), gives::hint_match()),
        "query" => (takes::query(), gives::found()),
        "delete_hint" => (takes::delete_hint(), gives::deleted()),
        "list_components" => (takes::list_components(), gives::components()),
        "bump" => (takes::bump(), gives::bumped()),
        "export" => (takes::export(), gives::exported()),
        "import" => (takes::import(), gives::imported()),
        _ => (json!({"type": "object"}), json!({"type": "object"})),
    };
    (object(takes), object(gives))
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

fn strings(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn systems(description: &str) -> Value {
    json!({
        "type": "array", "items": {"type": "string", "enum": ["linux", "darwin", "windows"]},
        "description": description
    })
}
