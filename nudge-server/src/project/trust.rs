//! What the user trusts of a project's file: single hints, each known by a hash.

use std::slice::from_ref;

use serde_json::{Map, Value, json};

use crate::platform::sha256;

const MAX_HINTS: usize = 1_000;

/// Component, key and hint.
pub(crate) type Named = (String, String, Value);

/// The hints of a project's file. They are hashed and used as they are here, so that nothing
/// can be trusted in one reading and used in another.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Hints {
    pub(crate) hints: Vec<Named>,
    /// How many entries are no hints at all.
    pub(crate) skipped: usize,
}

/// By which hash a hint is trusted: that of its component, its key, and all that the file says
/// of it, however it is laid out.
pub(crate) fn hash(component: &str, key: &str, hint: &Value) -> String {
    // In a JSON array no name can be taken for a part of another.
    let mut whole = json!([component, key, hint]);
    whole.sort_all_objects();
    sha256(&whole.to_string())
}

pub(crate) fn hints(bytes: &[u8]) -> Result<Hints, String> {
    let payload: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
    let version = payload.get("schema_version").and_then(Value::as_str);
    if !matches!(version, Some("1.0" | "1.1")) {
        return Err("its schema_version is not `1.0` or `1.1`".to_owned());
    }
    let components = payload.get("components").and_then(Value::as_object);
    let components = components.ok_or("its components are not an object")?;
    let mut found = Hints::default();
    for (component, said) in components {
        let Some(slots) = said.get("hints").and_then(Value::as_object) else {
            found.skipped += 1;
            continue;
        };
        for (key, slot) in slots {
            for hint in slot.as_array().map_or(from_ref(slot), Vec::as_slice) {
                if hint.is_object() {
                    let hint = (component.clone(), key.clone(), hint.clone());
                    found.hints.push(hint);
                } else {
                    found.skipped += 1;
                }
                if found.hints.len() > MAX_HINTS {
                    return Err(format!("it has more than {MAX_HINTS} hints"));
                }
            }
        }
    }
    Ok(found)
}

/// The file that has some hints: a slot with one is that hint, one with several a list.
pub(crate) fn file_of(hints: &[Named]) -> Value {
    let mut components: Map<String, Value> = Map::new();
    let mut version = "1.0";
    for (component, key, hint) in hints {
        let component = components.entry(component.clone());
        let component = component.or_insert_with(|| json!({"hints": {}}));
        let Some(slots) = component.get_mut("hints").and_then(Value::as_object_mut) else {
            continue;
        };
        match slots.get_mut(key) {
            None => drop(slots.insert(key.clone(), hint.clone())),
            Some(Value::Array(several)) => several.push(hint.clone()),
            Some(one) => {
                version = "1.1";
                *one = json!([one.take(), hint]);
            }
        }
    }
    json!({"schema_version": version, "components": components})
}

#[cfg(test)]
mod tests;
