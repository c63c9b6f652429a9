//! `docs/operations.json`: the table of operations for those who write bindings. `UPDATE=1`
//! updates it.

#![expect(
    clippy::disallowed_methods,
    reason = "who runs the test says that it is to be written"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

use nudge::{ErrorKind, Operation, Schemas};
use serde_json::{Value, json};

use crate::tidy::{files, root};

#[test]
fn the_table_is_as_written_down() {
    let path = root().join("docs/operations.json");
    let table = format!("{:#}\n", table());
    if env::var_os("UPDATE").is_some_and(|update| update == "1") {
        fs::write(&path, &table).unwrap();
    }
    let is_fresh = fs::read_to_string(&path).unwrap_or_default() == table;
    assert!(
        is_fresh,
        "docs/operations.json is stale; `UPDATE=1 cargo test -p nudge-hints --test it` updates it"
    );
}

#[test]
fn the_schemas_are_plain() {
    let table = table().to_string();
    for word in [
        "\"title\"",
        "\"default\"",
        "oneOf",
        "allOf",
        "[`",
        "`](",
        "\"type\":[",
    ] {
        assert!(!table.contains(word), "{word} is in the table");
    }
}

fn table() -> Value {
    let mut schemas = Schemas::default();
    let fields = fields_in_order();
    let operations = Operation::ALL.iter().map(|operation| {
        let about = operation.about();
        let [mut params, mut result] = operation.schemas(&mut schemas);
        put_in_order(&mut params, &fields);
        put_in_order(&mut result, &fields);
        let word = |word: &dyn std::fmt::Debug| format!("{word:?}").to_lowercase();
        let refuses = about.refuses.iter().map(|kind| kind.reason());
        json!({
            "name": about.name,
            "request": about.request,
            "answer": about.answer,
            "summary": about.summary(),
            "description": about.description(),
            "writes": about.writes,
            "context": word(&about.context),
            "access": word(&about.access),
            "errors": refuses.collect::<Vec<_>>(),
            "params": params,
            "result": result,
        })
    });
    let operations: Vec<Value> = operations.collect();
    schemas.add::<nudge::Error>();
    let mut parts = schemas.parts();
    for part in parts.values_mut() {
        put_in_order(part, &fields);
    }
    let errors = ErrorKind::ALL.iter().map(
        |kind| json!({"reason": kind.reason(), "code": kind.code(), "meaning": kind.meaning()}),
    );
    json!({
        "operations": operations,
        "components": {"schemas": parts},
        "errors": errors.collect::<Vec<_>>(),
    })
}

/// The fields of the structs of the library in the order in which they are declared, by the
/// set of their names: a schema has lost that order.
type InOrder = BTreeMap<BTreeSet<String>, Vec<String>>;

fn fields_in_order() -> InOrder {
    let mut found = InOrder::new();
    for path in files(&root().join("nudge/src"), ".rs") {
        let text = fs::read_to_string(path).unwrap();
        let (mut names, mut renamed): (Option<Vec<String>>, _) = (None, None);
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.starts_with("//")) {
            if line.contains("struct ") && line.ends_with('{') {
                (names, renamed) = (Some(Vec::new()), None);
            } else if line == "}" {
                let mut names = names.take().unwrap_or_default();
                names.retain(|name| !name.is_empty());
                found.insert(names.iter().cloned().collect(), names);
            } else if line.contains("(rename = \"") || line == "#[serde(skip)]" {
                renamed = line.split('"').nth(1).or(Some(""));
            } else if let (Some(names), Some((name, _))) = (&mut names, line.split_once(": ")) {
                let name = name.rsplit(' ').next().unwrap_or_default();
                names.push(renamed.take().unwrap_or(name).to_owned());
            }
        }
    }
    found
}

/// Lists the fields of each object as its struct declares them, after those that are only JSON's.
fn put_in_order(schema: &mut Value, known: &InOrder) {
    match schema {
        Value::Array(schemas) => schemas
            .iter_mut()
            .for_each(|schema| put_in_order(schema, known)),
        Value::Object(fields) => {
            fields
                .values_mut()
                .for_each(|below| put_in_order(below, known));
            let Some(Value::Object(properties)) = fields.get("properties") else {
                return;
            };
            let names: BTreeSet<String> = properties.keys().cloned().collect();
            let part_of = known.iter().filter(|(set, _)| set.is_subset(&names));
            let declared = part_of.max_by_key(|(set, _)| set.len());
            let declared = declared
                .map(|(_, declared)| declared.clone())
                .unwrap_or_default();
            let others = names.into_iter().filter(|name| !declared.contains(name));
            let mut order: Vec<String> = others.collect();
            order.extend(declared);
            fields.insert("order".to_owned(), json!(order));
        }
        _ => {}
    }
}
