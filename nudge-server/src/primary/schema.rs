//! The JSON Schemas of the methods, written by hand and once for two readers.

mod gives;
mod meta;
mod part;
mod place;
mod server;
mod takes;
mod value;

use nudge::Operation;
use serde_json::{Map, Value, json};

use crate::primary::operations::ServerOperation;

pub(crate) use self::part::parts;
use crate::primary::operations::Method;

/// For whom a schema is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A model, by way of an MCP client.
    ///
    /// Some clients drop every tool of a server for one schema that they cannot
    /// read, so there is no boolean schema here, no `format`, no list of types
    /// and no `$ref`. It says less than the core takes: a model needs one way
    /// to say a thing, and not three.
    Model,
    /// A program, by way of OpenRPC: all that the wire takes, with references to
    /// the parts that occur several times.
    Program,
}

/// What a method takes, as the schema of an object.
pub(crate) fn takes(method: Method, reader: Reader) -> Value {
    match method {
        Method::Store(Operation::SetHint) => takes::set_hint(reader),
        Method::Store(Operation::GetHint) => takes::get_hint(reader),
        Method::Store(Operation::Query) => takes::query(reader),
        Method::Store(Operation::DeleteHint) => takes::delete_hint(reader),
        Method::Store(Operation::ListComponents) => takes::list_components(reader),
        Method::Store(Operation::Bump) => takes::bump(reader),
        Method::Store(Operation::Export) => takes::export(reader),
        Method::Store(Operation::Import) => takes::import(reader),
        Method::Store(Operation::SetContext) => takes::set_context(reader),
        Method::Store(Operation::GetContext) => takes::get_context(reader),
        Method::Store(Operation::Propose) => takes::propose(reader),
        Method::Store(Operation::Accept | Operation::Reject) => takes::by_id(reader),
        Method::Store(Operation::OnEvent) => takes::event(reader),
        Method::Store(Operation::PromptBlock) => server::block_wanted(reader),
        Method::Server(ServerOperation::Hello) => server::introduction(reader),
        Method::Store(Operation::ListProposals)
        | Method::Server(
            ServerOperation::Status | ServerOperation::Stop | ServerOperation::Discover,
        ) => reader.params(json!({"type": "object", "properties": {}})),
    }
}

/// What a method gives back when it succeeds.
pub(crate) fn gives(method: Method, reader: Reader) -> Value {
    match method {
        Method::Store(Operation::SetHint | Operation::Accept) => gives::hint_set(reader),
        Method::Store(Operation::GetHint) => gives::hint_match(reader),
        Method::Store(Operation::Query) => gives::found(reader),
        Method::Store(Operation::DeleteHint) => gives::deleted(reader),
        Method::Store(Operation::ListComponents) => gives::components(reader),
        Method::Store(Operation::Bump) => gives::bumped(reader),
        Method::Store(Operation::Export) => gives::exported(reader),
        Method::Store(Operation::Import) => gives::imported(reader),
        Method::Store(Operation::SetContext | Operation::GetContext) => gives::context_sets(),
        Method::Store(Operation::Propose | Operation::Reject) => gives::proposed(reader),
        Method::Store(Operation::ListProposals) => gives::proposals(reader),
        Method::Store(Operation::OnEvent) => server::reaction(),
        Method::Store(Operation::PromptBlock) => server::block(),
        Method::Server(ServerOperation::Hello) => server::hello(),
        Method::Server(ServerOperation::Status) => server::status(),
        Method::Server(ServerOperation::Stop) => server::stopped(),
        Method::Server(ServerOperation::Discover) => server::document(),
    }
}

impl Reader {
    /// What a reader calls a method.
    fn name(self, method: Method) -> String {
        match self {
            Reader::Model => method.name().replace('.', "_"),
            Reader::Program => method.name().to_owned(),
        }
    }

    /// One of the parts: in full, or by its name.
    fn part(self, name: &str, description: &str, schema: impl FnOnce() -> Value) -> Value {
        match self {
            Reader::Model => described(schema(), description),
            Reader::Program => described(reference(name), description),
        }
    }

    /// An object whose fields are all named; what the core does not know, it refuses.
    fn closed(self, mut schema: Value) -> Value {
        if let (Reader::Program, Some(fields)) = (self, schema.as_object_mut()) {
            fields.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        schema
    }

    /// The same, of which each field that may be left out may also be `null`.
    fn params(self, schema: Value) -> Value {
        let mut schema = self.closed(schema);
        if self == Reader::Model {
            return schema;
        }
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required = |name: &str| {
            let names = required.as_array().into_iter().flatten();
            names.into_iter().any(|known| known == name)
        };
        if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            for (name, field) in fields {
                let given = field.take();
                *field = if is_required(name) {
                    given
                } else {
                    or_null(given)
                };
            }
        }
        schema
    }

    /// A list of strings of which, to a program, a lone string is the shorter spelling.
    fn list(self, description: &str) -> Value {
        let list = strings(description);
        self.or_lone(list, json!({"type": "string"}))
    }

    /// The same, of systems.
    fn system_list(self, description: &str) -> Value {
        let list = systems(description);
        self.or_lone(list, system())
    }

    fn or_lone(self, mut list: Value, lone: Value) -> Value {
        if self == Reader::Model {
            return list;
        }
        // An empty one could match nothing, and is refused.
        list["minItems"] = json!(1);
        either(lone, list)
    }
}

/// A part by its name.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn described(mut schema: Value, description: &str) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("description".to_owned(), json!(description));
    }
    schema
}

fn or_null(schema: Value) -> Value {
    either(schema, json!({"type": "null"}))
}

/// One schema or the other, under the description that one of them has.
fn either(mut one: Value, mut other: Value) -> Value {
    let mut description = None;
    for schema in [&mut one, &mut other] {
        let fields = schema.as_object_mut();
        let found = fields.and_then(|fields| fields.remove("description"));
        description = description.or(found);
    }
    let mut fields = Map::new();
    fields.extend(description.map(|words| ("description".to_owned(), words)));
    fields.insert("anyOf".to_owned(), json!([one, other]));
    Value::Object(fields)
}

fn strings(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn systems(description: &str) -> Value {
    json!({"type": "array", "items": system(), "description": description})
}

fn system() -> Value {
    json!({"type": "string", "enum": ["linux", "darwin", "windows"]})
}
