//! `Schemas`: what requests and answers look like, derived from their types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Where the parts stand that several schemas refer to.
const PARTS: &str = "/components/schemas";

/// Derives JSON Schemas, and collects the parts that they share.
///
/// They are as plain as can be: no titles, no list of types, and of what the types say
/// about themselves only the first paragraph.
///
/// # Examples
///
/// ```
/// use nudge::{Operation, Schemas};
///
/// let mut schemas = Schemas::default();
/// let [params, _] = Operation::GetHint.schemas(&mut schemas);
/// assert_eq!(params["required"], serde_json::json!(["component", "key"]));
/// assert!(schemas.parts().contains_key("Context"));
/// ```
#[derive(Debug)]
pub struct Schemas {
    params: SchemaGenerator,
    results: SchemaGenerator,
}

impl Default for Schemas {
    fn default() -> Schemas {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = PARTS.into();
        });
        Schemas {
            params: settings.clone().for_deserialize().into_generator(),
            results: settings.for_serialize().into_generator(),
        }
    }
}

impl Schemas {
    /// What a request may say: an object whose optional fields may also be `null`.
    pub fn params<T: JsonSchema>(&mut self) -> Value {
        let mut schema = T::json_schema(&mut self.params).to_value();
        make_plain(&mut schema);
        each_field(&mut schema, |field, is_required| {
            if !is_required && !may_be_null(field) {
                *field = either(field.take(), json!({"type": "null"}));
            }
        });
        schema
    }

    /// What an answer says.
    pub fn result<T: JsonSchema>(&mut self) -> Value {
        let mut schema = T::json_schema(&mut self.results).to_value();
        make_plain(&mut schema);
        never_null(&mut schema);
        schema
    }

    /// Adds a type that no operation has, such as [`Error`](crate::Error), to the parts.
    pub fn add<T: JsonSchema>(&mut self) {
        self.results.subschema_for::<T>();
    }

    /// The parts by name. One that requests and answers share is as a request may say it.
    #[must_use]
    pub fn parts(mut self) -> Map<String, Value> {
        let mut parts = self.results.take_definitions(false);
        parts.values_mut().for_each(|part| {
            make_plain(part);
            never_null(part);
        });
        let mut said = self.params.take_definitions(false);
        said.values_mut().for_each(make_plain);
        parts.extend(said);
        parts
    }
}

/// Takes away what only some readers understand, and what nobody needs.
fn make_plain(schema: &mut Value) {
    each_subschema(schema, &mut make_plain);
    let Value::Object(fields) = schema else {
        // Anything is allowed.
        *schema = json!({});
        return;
    };
    fields.retain(|name, given| match &**name {
        "title" | "default" => false,
        "format" => given == "date-time",
        "additionalProperties" => *given != json!({}),
        _ => true,
    });
    if let Some(Value::String(words)) = fields.get_mut("description") {
        *words = first_paragraph(words);
    }
    if let Some(alternatives) = fields.remove("oneOf") {
        fields.insert("anyOf".to_owned(), alternatives);
    }
    if let Some(Value::Array(types)) = fields.get("type")
        && let [kind, null] = &types[..]
        && null == "null"
    {
        let kind = kind.clone();
        fields.insert("type".to_owned(), kind);
        if let Some(Value::Array(names)) = fields.get_mut("enum") {
            names.retain(|name| !name.is_null());
        }
        *schema = either(schema.take(), json!({"type": "null"}));
    }
    fold_words(schema);
}

/// Makes one list of the words of an enum, of which each has a schema of its own if it is
/// documented.
fn fold_words(schema: &mut Value) {
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    let words = |alternative: &Value| match alternative.get("enum") {
        Some(words) => words.as_array().cloned(),
        None => alternative.get("const").map(|word| vec![word.clone()]),
    };
    let words: Option<Vec<Vec<Value>>> =
        alternatives.and_then(|alternatives| alternatives.iter().map(words).collect());
    if let (Some(words), Some(fields)) = (words, schema.as_object_mut()) {
        fields.remove("anyOf");
        fields.insert("type".to_owned(), json!("string"));
        fields.insert("enum".to_owned(), Value::Array(words.concat()));
    }
}

/// Takes `null` from fields that an answer leaves out instead.
fn never_null(schema: &mut Value) {
    each_subschema(schema, &mut never_null);
    each_field(schema, |field, is_required| {
        let Some(Value::Array(alternatives)) = field.get_mut("anyOf") else {
            return;
        };
        if is_required {
            return;
        }
        alternatives.retain(|alternative| *alternative != json!({"type": "null"}));
        if let [Value::Object(only)] = &mut alternatives[..] {
            let mut only = std::mem::take(only);
            let description = field.get_mut("description").map(Value::take);
            only.extend(description.map(|words| ("description".to_owned(), words)));
            *field = Value::Object(only);
        }
    });
}

fn may_be_null(schema: &Value) -> bool {
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    alternatives.is_some_and(|alternatives| alternatives.contains(&json!({"type": "null"})))
}

/// One schema or the other, under the description of the first.
fn either(mut one: Value, other: Value) -> Value {
    let fields = one.as_object_mut();
    let description = fields.and_then(|fields| fields.remove("description"));
    let mut either = match one.get_mut("anyOf") {
        Some(Value::Array(alternatives)) => {
            alternatives.push(other);
            one
        }
        _ => json!({"anyOf": [one, other]}),
    };
    if let (Some(words), Some(fields)) = (description, either.as_object_mut()) {
        fields.insert("description".to_owned(), words);
    }
    either
}

/// Changes each field of an object, knowing whether it is required.
fn each_field(schema: &mut Value, change: impl Fn(&mut Value, bool)) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| {
        let names = required.as_array().into_iter().flatten();
        names.into_iter().any(|known| known == name)
    };
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        change(field, is_required(name));
    }
}

/// Changes each schema right below another.
fn each_subschema(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    for (name, below) in schema.as_object_mut().into_iter().flatten() {
        match (&**name, below) {
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(&mut *change),
            ("anyOf" | "oneOf", Value::Array(schemas)) => schemas.iter_mut().for_each(&mut *change),
            // That no other field is allowed is said by `false`.
            ("additionalProperties", Value::Bool(false)) => {}
            ("items" | "additionalProperties", below) => change(below),
            _ => {}
        }
    }
}

/// The first paragraph of a text in one line, without links.
fn first_paragraph(words: &str) -> String {
    let lines = words.lines().map(str::trim);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ").replace("[`", "`").replace("`]", "`")
}
