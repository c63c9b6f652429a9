//! The schemas of the tools: those of their operations, in a form that a model and every
//! client can read.
//!
//! Some clients drop all tools of a server for one schema that they cannot read, so there is
//! no boolean schema here, no `format`, no list of types and no `$ref`. What a tool takes says
//! less than the core takes: a model needs one way to say a thing, and not three.

use nudge::{Operation, Place, Schemas};
use serde_json::{Map, Value, json};

/// The parts of an answer of which only is said what they are.
const SUMMED_UP: [&str; 5] = ["HintMeta", "HintValue", "Parts", "Scope", "Snapshot"];

/// What each of these operations takes and gives, in their order.
pub(super) fn schemas(operations: &[Operation]) -> Vec<(Value, Value)> {
    let mut schemas = Schemas::default();
    let made = operations.iter().map(|operation| {
        let about = operation.about();
        [about.params, about.result].map(|make| described(make(&mut schemas), None))
    });
    let made: Vec<[Value; 2]> = made.collect();
    let mut parts = schemas.parts();
    // A client speaks for a program, and no program is the user.
    let source = parts
        .get_mut("Source")
        .and_then(|part| part.get_mut("enum"));
    if let Some(Value::Array(sources)) = source {
        sources.retain(|source| source != "user");
    }
    let parts = Parts(parts);
    let made = operations.iter().zip(made);
    let made = made.map(|(operation, [params, result])| {
        let (mut params, mut result) = (parts.input(&params), parts.output(&result));
        add_what_is_inferred(*operation, &mut params);
        add_what_the_surface_says(*operation, &mut result, &parts);
        (params, result)
    });
    made.collect()
}

/// The parts that schemas refer to, by their names.
struct Parts(Map<String, Value>);

impl Parts {
    /// The part that a schema refers to, with its name and the description of the schema.
    fn of(&self, schema: &Value) -> Option<(&str, Value)> {
        let path = schema.get("$ref")?.as_str()?;
        let (name, part) = self.0.get_key_value(path.rsplit('/').next()?)?;
        Some((name, described(part.clone(), schema.get("description"))))
    }

    /// What a tool takes.
    fn input(&self, schema: &Value) -> Value {
        if let Some((_, part)) = self.of(schema) {
            return self.input(&part);
        }
        if let Some(Value::Array(alternatives)) = schema.get("anyOf") {
            let (kinds, others): (Vec<&Value>, Vec<&Value>) = alternatives
                .iter()
                .partition(|schema| tag(schema).is_some());
            // The usual spelling comes first.
            let usual = others.first().map(|usual| self.input(usual));
            let usual = described(usual.unwrap_or_default(), None);
            let said = if kinds.is_empty() {
                usual
            } else {
                json!({"anyOf": [usual, self.input(&merged(&kinds))]})
            };
            return described(said, schema.get("description"));
        }
        below(schema, &[], |field| {
            // That a field may be anything takes a schema that not every client reads.
            let says_something = ["$ref", "anyOf", "type"]
                .iter()
                .any(|word| field.get(word).is_some());
            says_something.then(|| self.input(field))
        })
    }

    /// What a tool gives. Of the fields of a part only those are described that are summed up.
    fn output(&self, schema: &Value) -> Value {
        let Some((name, mut part)) = self.of(schema) else {
            return below(schema, &["enum", "maximum", "minimum"], |field| {
                (!may_be_null(field)).then(|| self.output(field))
            });
        };
        if SUMMED_UP.contains(&name) {
            return summed_up(&part);
        }
        let fields = part.get_mut("properties").and_then(Value::as_object_mut);
        for (_, field) in fields.into_iter().flatten() {
            let name = self.of(field).map(|(name, _)| name);
            if !name.is_some_and(|name| SUMMED_UP.contains(&name)) {
                *field = described(field.take(), None);
            }
        }
        self.output(&part)
    }
}

/// A schema without these words and those that not every client reads, after a change of the
/// schemas below it. A field that becomes nothing is left out.
fn below(schema: &Value, without: &[&str], change: impl Fn(&Value) -> Option<Value>) -> Value {
    let fields = schema.as_object().into_iter().flatten();
    let changed = fields.filter_map(|(name, given)| {
        let given = match (&**name, given) {
            ("format" | "minItems", _) | ("additionalProperties", Value::Bool(_)) => return None,
            (name, _) if without.contains(&name) => return None,
            ("properties", Value::Object(fields)) => {
                let fields = fields.iter();
                let fields =
                    fields.filter_map(|(name, field)| Some((name.clone(), change(field)?)));
                Value::Object(fields.collect())
            }
            ("required", Value::Array(names)) => {
                let field = |name: &Value| schema.get("properties")?.get(name.as_str()?);
                let is_there = |name: &&Value| field(name).and_then(&change).is_some();
                names.iter().filter(is_there).cloned().collect()
            }
            ("anyOf", Value::Array(schemas)) => schemas.iter().filter_map(&change).collect(),
            ("items" | "additionalProperties", given) => change(given)?,
            (_, given) => given.clone(),
        };
        Some((name.clone(), given))
    });
    Value::Object(changed.collect())
}

fn may_be_null(schema: &Value) -> bool {
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    alternatives.is_some_and(|alternatives| alternatives.contains(&json!({"type": "null"})))
}

/// The word by which one of several objects is told from the others.
fn tag(schema: &Value) -> Option<&str> {
    schema.pointer("/properties/type/const")?.as_str()
}

/// One object with the fields of several, each of which says whose it is.
fn merged(kinds: &[&Value]) -> Value {
    let mut properties = Map::new();
    for kind in kinds {
        let tag = tag(kind).unwrap_or_default();
        let fields = kind.get("properties").and_then(Value::as_object);
        for (name, field) in fields.into_iter().flatten() {
            let words = field.get("description").and_then(Value::as_str);
            let words = words.unwrap_or_default();
            let (first, rest) = words.split_at_checked(1).unwrap_or_default();
            let words = format!("Of a {tag}: {}{rest}", first.to_lowercase());
            properties.insert(name.clone(), described(field.clone(), Some(&json!(words))));
        }
    }
    let tags: Vec<&str> = kinds.iter().filter_map(|kind| tag(kind)).collect();
    properties.insert("type".to_owned(), json!({"type": "string", "enum": tags}));
    json!({"type": "object", "properties": properties, "required": ["type"]})
}

/// The type of a part, or each of its types, and nothing of its fields.
fn summed_up(part: &Value) -> Value {
    let kind = |schema: &Value| json!({"type": schema.get("type")});
    let summary = match part.get("anyOf").and_then(Value::as_array) {
        Some(alternatives) => {
            let mut kinds: Vec<Value> = alternatives.iter().map(kind).collect();
            kinds.dedup();
            json!({"anyOf": kinds})
        }
        None => kind(part),
    };
    described(summary, part.get("description"))
}

/// A schema with this description, or none.
fn described(mut schema: Value, description: Option<&Value>) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("description");
        fields.extend(description.map(|words| ("description".to_owned(), words.clone())));
    }
    schema
}

/// Says what becomes of a context that is left out.
fn add_what_is_inferred(operation: Operation, params: &mut Value) {
    let words = "Where you are, if it is not the folder that this server runs in. What is left out is filled in.";
    let context = params.pointer_mut("/properties/context");
    if let (Place::Inferred, Some(context)) = (operation.about().context, context) {
        *context = described(context.take(), Some(&json!(words)));
    }
    // Whoever sees a command work sets anchors, and the user alone pins.
    let meta = params.pointer_mut("/properties/meta/properties");
    if let Some(meta) = meta.and_then(Value::as_object_mut) {
        meta.remove("anchors");
        meta.remove("pin");
    }
}

/// Adds the fields that only an answer to a tool has: what was inferred for it, that a miss is
/// an answer, and what became of a write.
fn add_what_the_surface_says(operation: Operation, result: &mut Value, parts: &Parts) {
    let part = |name: &str| parts.output(&json!({"$ref": name}));
    let added = match operation {
        Operation::GetHint => json!({
            "hint": {"description": "Null when none applies here.", "anyOf": [part("Hint"), {"type": "null"}]},
            "match_explain": {"type": "object", "properties": part("MatchExplain").get("properties"), "required": ["matched"]},
            "near_misses": {
                "type": "array", "items": part("NearMiss"),
                "description": "Conditions that kept a hint from being returned: what each asks for, and `actual`, what the context has, if it says."
            },
            "detail": {"type": "string", "description": "When there is no hint: `no_slot`, `expired` or `out_of_scope`."},
            "message": {"type": "string", "description": "When there is no hint: why, and what to do."}
        }),
        _ => json!({}),
    };
    if let (Some(Value::Object(fields)), Value::Object(added)) =
        (result.get_mut("properties"), added)
    {
        fields.extend(added);
        if operation.about().context != Place::None {
            let used =
                json!({"type": "object", "description": "Where the call was taken to come from."});
            fields.insert("context_used".to_owned(), used);
        }
    }
}
