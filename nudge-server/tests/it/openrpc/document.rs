//! Every method, what it takes, gives and refuses, as an OpenRPC document.

use nudge::{Error, ErrorKind, Schemas};
use nudge_server::primary::operations::Method;
use serde_json::{Map, Value, json};

use super::examples::{Example, examples};

const OPENRPC: &str = "1.3.2";

/// The document of a server on the usual port.
pub(crate) fn document() -> Value {
    let shown = examples();
    let mut schemas = Schemas::default();
    let methods: Vec<Value> = Method::all()
        .map(|method| {
            let example = shown.iter().find(|example| example.method == method);
            describe(method, example, &mut schemas)
        })
        .collect();
    let errors = ErrorKind::ALL.iter().map(|kind| {
        let error = json!({
            "code": kind.code(), "message": kind.meaning(), "data": {"reason": kind.reason()},
        });
        (kind.reason().to_owned(), error)
    });
    schemas.add::<Error>();
    let mut parts = schemas.parts();
    parts.insert("Change".to_owned(), change());
    json!({
        "openrpc": OPENRPC,
        "info": {
            "title": "Nudge",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Small memory for coding agents: keeps what you say, returns it where it fits, with the reason why.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{
            "name": "this server",
            "summary": "JSON-RPC 2.0 over HTTP, for the user whose server it is.",
            "url": "http://127.0.0.1:8765/rpc",
        }],
        "methods": methods,
        "components": {
            "schemas": parts,
            "errors": errors.collect::<Map<String, Value>>(),
        },
    })
}

fn describe(method: Method, example: Option<&Example>, schemas: &mut Schemas) -> Value {
    let about = method.about();
    // A bug can be anywhere.
    let refuses = |kind: &ErrorKind| *kind == ErrorKind::Internal || about.refuses.contains(kind);
    let errors = ErrorKind::ALL
        .iter()
        .filter(|kind| refuses(kind))
        .map(|kind| json!({"$ref": format!("#/components/errors/{}", kind.reason())}));
    let [request, answer] = method.schemas(schemas);
    let mut described = json!({
        "name": method.name(),
        "summary": about.summary(),
        "description": about.description(),
        "paramStructure": "by-name",
        "params": params(&request),
        "result": {"name": about.answer, "schema": answer},
        "errors": errors.collect::<Vec<Value>>(),
    });
    if let Some(example) = example {
        described["examples"] = json!([as_openrpc(example)]);
    }
    described
}

/// The fields of an object as OpenRPC lists params: those that must be given first.
fn params(request: &Value) -> Vec<Value> {
    let required = request["required"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let place = |name: &String| required.iter().position(|known| known == name);
    let mut fields: Vec<_> = request["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .collect();
    fields.sort_by_key(|(name, _)| place(name).unwrap_or(required.len()));
    let params = fields.into_iter().map(|(name, schema)| {
        let mut schema = schema.clone();
        let description = schema.as_object_mut().unwrap().remove("description");
        json!({
            "name": name,
            "description": description.unwrap_or_default(),
            "required": place(name).is_some(),
            "schema": schema,
        })
    });
    params.collect()
}

fn as_openrpc(example: &Example) -> Value {
    let given = example.params.as_object().unwrap().iter();
    let params: Vec<Value> = given
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({
        "name": example.name,
        "params": params,
        "result": {"name": "result", "value": example.result},
    })
}

/// What `GET /events` tells, which no method answers.
fn change() -> Value {
    let part = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    json!({
        "type": "object",
        "description": "One step in the life of the store, as `GET /events` tells it. The value of a secret is `***`.",
        "properties": {
            "seq": {"type": "integer", "minimum": 1, "description": "One more with every change of the store; the id of the event."},
            "at": part("Time"),
            "what": {"type": "string", "enum": ["set", "bump", "fail", "delete", "expire", "clear", "context", "propose", "dismiss"]},
            "component": {"type": "string", "description": "Absent when no hint is meant."},
            "key": {"type": "string", "description": "Absent when no hint is meant."},
            "scope": part("Scope"),
            "before": {"type": "integer", "description": "The version before; 0 when the hint was not there."},
            "after": {"type": "integer", "description": "The version after; 0 when the hint is gone."},
            "value_changed": {"type": "boolean", "description": "Whether a set gave a hint that was there another value."},
            "hint": part("Hint"),
            "by": part("Origin"),
            "context": part("WorkingSet"),
            "sets": {"type": "array", "items": {"type": "string"}, "description": "Which sets of `context` changed."},
            "proposal": {"type": "integer", "description": "The number of the proposal, where one came or went."},
            "client": {"type": "string", "description": "The client that proposes."},
            "delete": {"type": "boolean", "description": "Whether it proposes to delete the hint."},
            "proposed_at": {"type": "string", "description": "When a hint was proposed."},
            "why": {"type": "string", "description": "Why a hint was proposed."}
        },
        "required": ["seq", "at", "what", "before", "after"]
    })
}
