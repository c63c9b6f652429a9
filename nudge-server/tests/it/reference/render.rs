//! `docs/openrpc.json` as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use super::layout::{laid_out, wrapped};
use crate::openrpc::given;

/// The document with the words of an enum where it is used, instead of a reference to it.
pub(crate) fn with_words_in_place(mut document: Value) -> Value {
    let parts = document["components"]["schemas"].as_object_mut().unwrap();
    let enums = parts.iter().filter(|(_, part)| part["enum"].is_array());
    let enums: BTreeMap<String, Value> = enums
        .map(|(name, part)| (format!("#/components/schemas/{name}"), part["enum"].clone()))
        .collect();
    parts.retain(|_, part| !part["enum"].is_array());
    put_in_place(&mut document, &enums);
    document
}

fn put_in_place(schema: &mut Value, enums: &BTreeMap<String, Value>) {
    match schema {
        Value::Array(below) => below
            .iter_mut()
            .for_each(|below| put_in_place(below, enums)),
        Value::Object(fields) => {
            let words = fields.get("$ref").and_then(Value::as_str);
            if let Some(words) = words.and_then(|path| enums.get(path)) {
                fields.remove("$ref");
                fields.insert("enum".to_owned(), words.clone());
            }
            fields
                .values_mut()
                .for_each(|below| put_in_place(below, enums));
        }
        _ => {}
    }
}

/// The errors with their codes, smallest first.
pub(crate) fn errors(document: &Value) -> String {
    let errors = document["components"]["errors"].as_object().unwrap();
    let mut errors: Vec<(&String, &Value)> = errors.iter().collect();
    errors.sort_by_key(|(_, error)| error["code"].as_i64());
    let mut text = "| reason | code | when |\n|---|---|---|\n".to_owned();
    for (reason, error) in errors {
        let words = error["message"].as_str().unwrap();
        writeln!(text, "| `{reason}` | {} | {words} |", error["code"]).unwrap();
    }
    text
}

/// The limits that can be set, as a server tells them that was told nothing.
pub(crate) fn limits(document: &Value) -> String {
    let mut methods = document["methods"].as_array().unwrap().iter();
    let status = methods.find(|method| method["name"] == "nudge.status");
    let limits = &status.unwrap()["examples"][0]["result"]["value"]["limits"];
    let mut text = "| limit | default | variable |\n|---|---|---|\n".to_owned();
    for (name, default) in limits.as_object().unwrap() {
        let variable = name.to_uppercase();
        writeln!(text, "| `{name}` | {default} | `NUDGE_MAX_{variable}` |").unwrap();
    }
    text
}

/// Every method with its params, its result, its errors and an example.
pub(crate) fn methods(document: &Value) -> String {
    let methods = document["methods"].as_array().unwrap().iter();
    methods.map(method).collect::<Vec<String>>().join("\n")
}

fn method(method: &Value) -> String {
    let said = [&method["summary"], &method["description"]].map(words);
    let said = wrapped(&said.join(" "));
    let mut text = format!("### `{}`\n\n{said}\n", words(&method["name"]));
    let params = method["params"].as_array().unwrap();
    if !params.is_empty() {
        text.push_str("\n| param | type | |\n|---|---|---|\n");
        for param in params {
            let description = words(&param["description"]);
            let (name, is_required) = (words(&param["name"]), param["required"] == true);
            row(&mut text, name, &param["schema"], description, is_required);
        }
    }
    let result = &method["result"]["schema"];
    if result["properties"].is_object() {
        text.push_str("\n| result | type | |\n|---|---|---|\n");
        rows(&mut text, "", result);
    } else {
        writeln!(text, "\nThe result: {}", words(&result["description"])).unwrap();
    }
    let errors = method["errors"].as_array().unwrap().iter();
    let errors = errors.map(|error| words(&error["$ref"]).rsplit('/').next().unwrap());
    let errors: Vec<String> = errors.map(|error| format!("`{error}`")).collect();
    writeln!(text, "\nErrors: {}.", errors.join(", ")).unwrap();
    for example in method["examples"].as_array().into_iter().flatten() {
        let name = words(&example["name"]);
        writeln!(text, "\nExample, {name}: the params and the result.").unwrap();
        for value in [&given(example), &example["result"]["value"]] {
            writeln!(text, "\n```json\n{}\n```", laid_out(value)).unwrap();
        }
    }
    text
}

/// The parts that have a name of their own.
pub(crate) fn types(document: &Value) -> String {
    let parts = document["components"]["schemas"].as_object().unwrap();
    let parts = parts.iter().map(|(name, part)| {
        let mut text = format!("### {name}\n\n{}\n", wrapped(words(&part["description"])));
        let kinds = part["anyOf"].as_array();
        for kind in kinds.map_or(vec![part], |kinds| kinds.iter().collect()) {
            if kinds.is_some() {
                writeln!(text, "\n{}", words(&kind["description"])).unwrap();
            }
            if kind["properties"].is_object() {
                text.push_str("\n| field | type | |\n|---|---|---|\n");
                rows(&mut text, "", kind);
            }
        }
        text
    });
    parts.collect::<Vec<String>>().join("\n")
}

/// A row for each field of an object, and for each field of those in it; what is
/// always there first, in the order in which the schema says so.
fn rows(text: &mut String, prefix: &str, object: &Value) {
    let required = object["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = required.map(words).collect();
    let fields = object["properties"].as_object().unwrap();
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    let place = |name: &str| required.iter().position(|known| *known == name);
    fields.sort_by_key(|(name, _)| place(name).unwrap_or(required.len()));
    for (name, schema) in fields {
        let path = format!("{prefix}{name}");
        let description = words(&schema["description"]);
        row(text, &path, schema, description, place(name).is_some());
        if schema["properties"].is_object() {
            rows(text, &format!("{path}."), schema);
        } else if schema["items"]["properties"].is_object() {
            rows(text, &format!("{path}[]."), &schema["items"]);
        }
    }
}

fn row(text: &mut String, name: &str, schema: &Value, description: &str, is_required: bool) {
    let mut kind = type_of(schema);
    // That what may be left out may also be null is said once for all of it.
    let optional = if is_required { "" } else { "?" };
    if is_required && may_be_null(schema) {
        kind.push_str(" or null");
    }
    let description = description.replace('|', "\\|");
    writeln!(text, "| `{name}`{optional} | {kind} | {description} |").unwrap();
}

/// The type of a schema, in words.
fn type_of(schema: &Value) -> String {
    if let Some(part) = schema["$ref"].as_str() {
        let name = part.rsplit('/').next().unwrap();
        return format!("[`{name}`](#{})", name.to_lowercase());
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let kinds = any.iter().filter(|kind| kind["type"] != "null");
        return kinds.map(type_of).collect::<Vec<String>>().join(" or ");
    }
    if let Some(only) = schema["const"].as_str() {
        return format!("`{only}`");
    }
    if let Some(names) = schema["enum"].as_array() {
        let names = names.iter().map(|name| format!("`{}`", words(name)));
        return names.collect::<Vec<String>>().join(", ");
    }
    let (least, most) = (&schema["minimum"], &schema["maximum"]);
    let more = &schema["additionalProperties"];
    match (words(&schema["type"]), least, most) {
        ("array", ..) => format!("list of {}", plural(&type_of(&schema["items"]))),
        ("object", ..) if more.is_object() => format!("object of {}", plural(&type_of(more))),
        ("", ..) => "any JSON".to_owned(),
        (kind, Value::Number(least), Value::Number(most)) => format!("{kind}, {least} to {most}"),
        (kind, ..) => kind.to_owned(),
    }
}

fn may_be_null(schema: &Value) -> bool {
    let any = schema["anyOf"].as_array().into_iter().flatten();
    any.into_iter().any(|kind| kind["type"] == "null")
}

fn plural(kind: &str) -> String {
    match kind {
        "string" | "object" | "number" | "integer" => format!("{kind}s"),
        other => other.to_owned(),
    }
}

fn words(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
