//! `rpc.discover`: every method, what it takes, gives and refuses, as an OpenRPC document.

mod examples;

use nudge::{Error, ErrorKind, Schemas};
use serde_json::{Map, Value, json};

use self::examples::{Example, examples};
use crate::primary::Primary;
use crate::primary::events;
use crate::primary::operations::Method;
use crate::wire::identity::VERSION;

const OPENRPC: &str = "1.3.2";

pub(crate) fn document(primary: &Primary) -> Value {
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
    parts.insert("Change".to_owned(), events::schema());
    json!({
        "openrpc": OPENRPC,
        "info": {
            "title": "Nudge",
            "version": VERSION,
            "description": "Small memory for coding agents: keeps what you say, returns it where it fits, with the reason why.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{
            "name": "this server",
            "summary": "JSON-RPC 2.0 over HTTP, for the user whose server it is.",
            "url": format!("http://127.0.0.1:{}/rpc", primary.identity.port),
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
    let mut described = json!({
        "name": method.name(),
        "summary": about.summary(),
        "description": about.description(),
        "paramStructure": "by-name",
        "params": params(&(about.params)(schemas)),
        "result": {"name": about.answer, "schema": (about.result)(schemas)},
        "errors": errors.collect::<Vec<Value>>(),
    });
    // A document that holds itself as an example would never end.
    if let (Some(example), Some(fields)) = (example, described.as_object_mut()) {
        fields.insert("examples".to_owned(), json!([as_openrpc(example)]));
    }
    described
}

/// The fields of an object as OpenRPC lists params: those that must be given first.
fn params(request: &Value) -> Vec<Value> {
    let required = request.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let fields = request.get("properties").and_then(Value::as_object);
    let mut params: Vec<(usize, Value)> = fields
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let place = required.iter().position(|known| known == name);
            let mut schema = schema.clone();
            let description = schema
                .as_object_mut()
                .and_then(|fields| fields.remove("description"));
            let param = json!({
                "name": name,
                "description": description.unwrap_or_default(),
                "required": place.is_some(),
                "schema": schema,
            });
            (place.unwrap_or(required.len()), param)
        })
        .collect();
    params.sort_by_key(|(place, _)| *place);
    params.into_iter().map(|(_, param)| param).collect()
}

fn as_openrpc(example: &Example) -> Value {
    let given = example.params.as_object();
    let given = given.into_iter().flatten();
    let params: Vec<Value> = given
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({
        "name": example.name,
        "params": params,
        "result": {"name": "result", "value": example.result},
    })
}
