//! What the user trusts of a project's file: single hints, each known by a hash.

use std::slice::from_ref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::platform::sha256;

const MAX_HINTS: usize = 1_000;

/// A hint as the project's file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ProjectHint {
    /// The component.
    pub(crate) component: String,
    /// The key.
    pub(crate) key: String,
    /// What the file says.
    pub(crate) hint: Value,
    /// By which it is trusted.
    pub(crate) hash: String,
}

impl ProjectHint {
    /// A hint with the hash of its component, its key, and all that the file says of it, however
    /// it is laid out. It is hashed and used as it is here, so that nothing can be trusted in one
    /// reading and used in another.
    pub(crate) fn new(component: &str, key: &str, hint: Value) -> ProjectHint {
        // In a JSON array no name can be taken for a part of another.
        let mut whole = json!([component, key, hint]);
        whole.sort_all_objects();
        ProjectHint {
            component: component.to_owned(),
            key: key.to_owned(),
            hint,
            hash: sha256(&whole.to_string()),
        }
    }
}

/// The hints of a project's file, without what is none at all.
pub(crate) fn hints(bytes: &[u8]) -> Result<Vec<ProjectHint>, String> {
    let payload: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
    let version = payload.get("schema_version").and_then(Value::as_str);
    if !matches!(version, Some("1.0" | "1.1")) {
        return Err("its schema_version is not `1.0` or `1.1`".to_owned());
    }
    let components = payload.get("components").and_then(Value::as_object);
    let components = components.ok_or("its components are not an object")?;
    let mut found = Vec::new();
    for (component, said) in components {
        let slots = said.get("hints").and_then(Value::as_object);
        for (key, slot) in slots.into_iter().flatten() {
            let all = slot.as_array().map_or(from_ref(slot), Vec::as_slice);
            for hint in all.iter().filter(|hint| hint.is_object()) {
                found.push(ProjectHint::new(component, key, hint.clone()));
                if found.len() > MAX_HINTS {
                    return Err(format!("it has more than {MAX_HINTS} hints"));
                }
            }
        }
    }
    Ok(found)
}

/// The file that has some hints: a slot with one is that hint, one with several a list.
pub(crate) fn file_of<'h>(hints: impl Iterator<Item = &'h ProjectHint>) -> Value {
    let mut components: Map<String, Value> = Map::new();
    let mut version = "1.0";
    for ProjectHint {
        component,
        key,
        hint,
        ..
    } in hints
    {
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
