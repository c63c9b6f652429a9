//! The usual slips of models, read as what was meant: one table, for surfaces whose callers are
//! models.

use serde_json::{Map, Value, json};

use super::Operation;
use crate::hint::working_set::KNOWN as SETS;
use crate::scope::component::slot_of;

/// The operations with a slot.
const SLOT: &[Operation] = &[
    Operation::GetHint,
    Operation::SetHint,
    Operation::Bump,
    Operation::DeleteHint,
];

/// Other names for a field: of which operations, the names, the field.
const NAMES: [(&[Operation], &str, &str); 5] = [
    (&[Operation::Query], "query q search words keywords", "text"),
    (SLOT, "name", "key"),
    (&[Operation::SetHint], "command cmd hint content", "value"),
    (
        &[Operation::Bump],
        "success succeeded worked ok result status",
        "outcome",
    ),
    (&[Operation::GetContext], "set", "name"),
];

/// Other words for an outcome.
const OUTCOMES: [(&str, &str); 2] = [
    ("ok", "true success succeeded successful passed pass worked"),
    ("fail", "false failed failure failing error broken"),
];

/// What belongs in `meta` or `context` and is given at the top.
const META: &str = "reason tags ttl priority confidence scope";
const FACTS: &str = "cwd branch repo";

/// What is no text, by its name.
const OBJECTS: &str = "meta context scope sets";
const NUMBERS: &str = "limit alternatives delta priority confidence";
const SWITCHES: &str = "all anywhere full dry_run include_ineligible";
const LISTS: &str = "tags";

/// Reads the slips in the params of an operation as what was meant. What is left is refused as
/// ever.
pub fn read_slips(operation: Operation, params: &mut Map<String, Value>) {
    for (operations, names, field) in NAMES {
        let given = names.split(' ').find(|name| params.contains_key(*name));
        if let Some(given) = given.filter(|_| operations.contains(&operation))
            && !params.contains_key(field)
            && let Some(value) = params.remove(given)
        {
            params.insert(field.to_owned(), value);
        }
    }
    if operation == Operation::SetHint {
        move_into(params, "meta", META.split(' '));
    }
    if operation == Operation::SetContext {
        move_into(params, "sets", SETS.into_iter());
    }
    move_into(params, "context", FACTS.split(' '));
    params
        .iter_mut()
        .for_each(|(name, value)| repair(name, value));
    for (name, words) in OUTCOMES {
        if let Some(given) = params.get_mut("outcome") {
            let said = given
                .as_str()
                .map_or_else(|| given.to_string(), str::to_lowercase);
            if words.split(' ').any(|word| word == said) {
                *given = name.into();
            }
        }
    }
    if SLOT.contains(&operation) {
        split_slot(params);
    }
}

/// Moves fields into an object that lacks them.
fn move_into<'f>(
    params: &mut Map<String, Value>,
    object: &str,
    fields: impl Iterator<Item = &'f str>,
) {
    let given: Vec<&str> = fields.filter(|field| params.contains_key(*field)).collect();
    if given.is_empty() {
        return;
    }
    let mut inner = params.remove(object).unwrap_or_else(|| json!({}));
    repair(object, &mut inner);
    if let Some(inner) = inner.as_object_mut() {
        for field in given.iter().filter(|field| **field != object) {
            if let Some(mut value) = params.remove(*field) {
                // A set of one item may be given as that.
                if object == "sets" && value.is_string() {
                    value = json!([value]);
                }
                inner.entry(*field).or_insert(value);
            }
        }
    }
    params.insert(object.to_owned(), inner);
}

/// Repairs one field: text instead of an object, a number, a switch or a list.
fn repair(name: &str, value: &mut Value) {
    let is_one_of = |names: &str| names.split(' ').any(|known| known == name);
    if let Value::String(text) = &*value {
        let read = || serde_json::from_str::<Value>(text.trim()).ok();
        let meant = if is_one_of(OBJECTS) || name == "value" && text.contains("\"type\"") {
            read().filter(Value::is_object)
        } else if is_one_of(NUMBERS) {
            read().filter(Value::is_number)
        } else if is_one_of(SWITCHES) {
            read().filter(Value::is_boolean)
        } else if is_one_of(LISTS) {
            let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
            Some(parts.collect())
        } else {
            None
        };
        if let Some(meant) = meant {
            *value = meant;
        }
    }
    if let Some(inner) = value.as_object_mut().filter(|_| name == "meta") {
        inner
            .iter_mut()
            .for_each(|(name, value)| repair(name, value));
    }
}

/// Takes `COMPONENT/KEY` apart where one of the two is missing.
fn split_slot(params: &mut Map<String, Value>) {
    for (given, missing) in [("component", "key"), ("key", "component")] {
        let both = params.get(given).and_then(Value::as_str);
        let both = both.and_then(slot_of);
        let both = both.map(|(component, key)| (component.to_owned(), key.to_owned()));
        if let Some((component, key)) = both.filter(|_| !params.contains_key(missing)) {
            params.insert("component".to_owned(), component.into());
            params.insert("key".to_owned(), key.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// An operation, what a model gives, and what it means.
    const SLIPS: &str = r#"
Query | {"query": "build"} | {"text": "build"}
Query | {"q": "build", "limit": "7"} | {"text": "build", "limit": 7}
Query | {"text": "x", "query": "y"} | {"text": "x", "query": "y"}
Query | {"tags": "ci, fast", "anywhere": "true"} | {"tags": ["ci", "fast"], "anywhere": true}
GetHint | {"component": "api/build"} | {"component": "api", "key": "build"}
GetHint | {"component": "shop/api/build"} | {"component": "shop/api", "key": "build"}
GetHint | {"key": "api/env.PORT"} | {"component": "api", "key": "env.PORT"}
GetHint | {"component": "a/b", "key": "c"} | {"component": "a/b", "key": "c"}
GetHint | {"component": "api", "name": "build"} | {"component": "api", "key": "build"}
GetHint | {"cwd": "/work", "context": "{\"branch\": \"dev\"}"} | {"context": {"branch": "dev", "cwd": "/work"}}
GetHint | {"context": "not json"} | {"context": "not json"}
SetHint | {"value": "x", "reason": "y", "tags": ["z"]} | {"value": "x", "meta": {"reason": "y", "tags": ["z"]}}
SetHint | {"value": "x", "reason": "y", "meta": {"reason": "z"}} | {"value": "x", "meta": {"reason": "z"}}
SetHint | {"meta": "{\"priority\": \"7\"}"} | {"meta": {"priority": 7}}
SetHint | {"command": "make"} | {"value": "make"}
SetHint | {"value": "{\"type\": \"path\", \"abs\": \"/x\"}"} | {"value": {"type": "path", "abs": "/x"}}
SetHint | {"value": "{a}"} | {"value": "{a}"}
Bump | {"outcome": "Success"} | {"outcome": "ok"}
Bump | {"worked": false} | {"outcome": "fail"}
Bump | {"outcome": "maybe"} | {"outcome": "maybe"}
SetContext | {"files": ["a"], "intent": "b"} | {"sets": {"files": ["a"], "intent": ["b"]}}
GetContext | {"set": "files"} | {"name": "files"}
Export | {"context": {"cwd": "/x"}} | {"context": {"cwd": "/x"}}
"#;

    #[test]
    fn slips_are_read_as_what_was_meant() {
        for line in SLIPS.trim().lines() {
            let parts: Vec<&str> = line.split(" | ").collect();
            let read = |at: usize| serde_json::from_str::<Value>(parts[at]).unwrap();
            let mut given = read(1);
            let all = Operation::ALL.iter();
            let mut named = all.filter(|it| format!("{it:?}") == parts[0]);
            read_slips(*named.next().unwrap(), given.as_object_mut().unwrap());
            assert_eq!(given, read(2), "{line}");
        }
    }
}
