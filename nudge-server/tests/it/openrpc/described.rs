//! Holding calls and answers against what the document says about them.

use std::collections::BTreeMap;

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::{Value, json};

/// Where the schemas are, as far as references go.
const HERE: &str = "nudge:///document.json";

/// The schemas of a document, ready to be asked.
pub(crate) struct Described {
    schemas: Schemas,
    methods: BTreeMap<String, Method>,
    parts: BTreeMap<String, SchemaIndex>,
}

struct Method {
    takes: SchemaIndex,
    gives: SchemaIndex,
    /// The codes of its errors, each with its reason.
    errors: Vec<(Value, Value)>,
}

impl Described {
    pub(crate) fn new(mut document: Value) -> Described {
        let errors = document["components"]["errors"].take();
        // A field of an answer that is not described is as bad as one that is
        // described wrongly; the document itself leaves room for fields to come.
        close(&mut document["components"]["schemas"]);
        for method in document["methods"].as_array_mut().unwrap() {
            close(&mut method["result"]["schema"]);
            method["params"] = params(&method["params"]);
        }
        let mut compiler = Compiler::new();
        let mut schemas = Schemas::new();
        compiler.set_default_draft(Draft::V7);
        compiler.add_resource(HERE, document.clone()).unwrap();
        let mut at = |path: String| {
            let found = compiler.compile(&format!("{HERE}#{path}"), &mut schemas);
            found.unwrap_or_else(|error| panic!("{path}: {error:#}"))
        };
        let mut parts = BTreeMap::new();
        for name in document["components"]["schemas"]
            .as_object()
            .unwrap()
            .keys()
        {
            let part = at(format!("/components/schemas/{name}"));
            parts.insert(name.clone(), part);
        }
        let mut methods = BTreeMap::new();
        for (number, entry) in document["methods"].as_array().unwrap().iter().enumerate() {
            let listed = entry["errors"].as_array().unwrap().iter().map(|error| {
                let name = error["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                let error = &errors[name];
                (error["code"].clone(), error["data"]["reason"].clone())
            });
            let method = Method {
                takes: at(format!("/methods/{number}/params")),
                gives: at(format!("/methods/{number}/result/schema")),
                errors: listed.collect(),
            };
            methods.insert(entry["name"].as_str().unwrap().to_owned(), method);
        }
        Described {
            schemas,
            methods,
            parts,
        }
    }

    /// Whether a method takes such params.
    pub(crate) fn takes(&self, method: &str, params: &Value) -> Result<(), String> {
        self.fits(self.methods[method].takes, params)
    }

    /// Whether a method may give such a result.
    pub(crate) fn gives(&self, method: &str, result: &Value) -> Result<(), String> {
        self.fits(self.methods[method].gives, result)
    }

    /// Whether a method may fail with such an error.
    pub(crate) fn refuses(&self, method: &str, error: &Value) -> Result<(), String> {
        let seen = (error["code"].clone(), error["data"]["reason"].clone());
        if !self.methods[method].errors.contains(&seen) {
            return Err("it is not among its errors".to_owned());
        }
        self.part("ErrorData", &error["data"])
    }

    /// Whether something is as one of the parts is described.
    pub(crate) fn part(&self, name: &str, value: &Value) -> Result<(), String> {
        self.fits(self.parts[name], value)
    }

    fn fits(&self, schema: SchemaIndex, value: &Value) -> Result<(), String> {
        let wrong = self.schemas.validate(value, schema);
        wrong.map_err(|wrong| format!("{wrong:#}"))
    }
}

/// The params that OpenRPC lists as the object that is sent.
fn params(listed: &Value) -> Value {
    let mut schema = json!({
        "type": "object", "properties": {}, "required": [], "additionalProperties": false,
    });
    for param in listed.as_array().unwrap() {
        let name = param["name"].as_str().unwrap();
        schema["properties"][name] = param["schema"].clone();
        if param["required"] == true {
            schema["required"].as_array_mut().unwrap().push(json!(name));
        }
    }
    schema
}

/// Forbids every field that a schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("properties").is_some_and(Value::is_object) {
                let closed = fields.entry("additionalProperties");
                closed.or_insert(Value::Bool(false));
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
