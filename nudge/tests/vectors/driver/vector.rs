//! Reading the vectors.

use std::fs;
use std::path::PathBuf;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::file;

/// One file of vectors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Topic {
    #[serde(rename = "topic")]
    name: String,
    pub(crate) cases: Vec<Case>,
    #[serde(skip)]
    pub(crate) file: String,
}

/// A little story about one store.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) why: String,
    #[serde(default = "empty")]
    pub(crate) config: Value,
    pub(crate) steps: Vec<Step>,
}

/// One call and what comes of it; without an expectation it must succeed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) at: Option<String>,
    #[serde(rename = "as")]
    pub(crate) caller: Option<String>,
    pub(crate) call: String,
    pub(crate) params: Params,
    #[serde(default, deserialize_with = "built")]
    pub(crate) result: Option<Value>,
    #[serde(default, deserialize_with = "built")]
    pub(crate) has: Option<Value>,
    #[serde(default, deserialize_with = "built")]
    pub(crate) error: Option<Value>,
    #[serde(default)]
    pub(crate) unchanged: bool,
}

/// The params of a call, built, and the texts among them that were joined.
pub(crate) struct Params {
    pub(crate) value: Value,
    pub(crate) joined: Vec<String>,
}

/// Every file of vectors, sorted by name.
pub(crate) fn topics() -> Vec<Topic> {
    topics_in("vectors")
}

/// The files of a folder.
pub(crate) fn topics_in(folder: &str) -> Vec<Topic> {
    let mut files: Vec<PathBuf> = fs::read_dir(file(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).unwrap();
        let topic = serde_json::from_str(&text);
        let topic: Topic = topic.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(format!("{}.json", topic.name), file);
        Topic { file, ..topic }
    };
    files.iter().map(read).collect()
}

fn empty() -> Value {
    Value::Object(serde_json::Map::new())
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Params, D::Error> {
        let mut joined = Vec::new();
        let value = build(Value::deserialize(deserializer)?, &mut joined);
        Ok(Params {
            value: value.map_err(D::Error::custom)?,
            joined,
        })
    }
}

fn built<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    let params = Params::deserialize(deserializer)?;
    Ok(Some(params.value))
}

/// Puts texts and arrays in the place of the objects that stand for them:
/// `{"$join": [texts]}`, `{"$repeat": [text, times]}`, `{"$nest": depth}`.
fn build(value: Value, joined: &mut Vec<String>) -> Result<Value, String> {
    match value {
        Value::Array(items) => {
            let items = items.into_iter().map(|item| build(item, joined));
            items.collect::<Result<_, _>>().map(Value::Array)
        }
        Value::Object(fields) => {
            let word = fields.iter().next().map(|(name, given)| (&**name, given));
            match (fields.len(), word) {
                (1, Some(("$join", parts))) => join(parts, joined),
                (1, Some(("$repeat", given))) => repeat(given),
                (1, Some(("$nest", depth))) => nest(depth),
                (_, Some((name, _))) if name.starts_with('$') => {
                    Err(format!("no such form: {name}"))
                }
                _ => {
                    let fields = fields.into_iter();
                    let fields = fields.map(|(name, given)| Ok((name, build(given, joined)?)));
                    fields.collect::<Result<_, String>>().map(Value::Object)
                }
            }
        }
        other => Ok(other),
    }
}

fn join(parts: &Value, joined: &mut Vec<String>) -> Result<Value, String> {
    let parts = parts.as_array().ok_or("$join takes a list of texts")?;
    let mut whole = String::new();
    for part in parts {
        let part = build(part.clone(), joined)?;
        whole.push_str(part.as_str().ok_or("$join takes a list of texts")?);
    }
    joined.push(whole.clone());
    Ok(Value::String(whole))
}

fn repeat(given: &Value) -> Result<Value, String> {
    match given.as_array().map(Vec::as_slice) {
        Some([Value::String(text), times]) => {
            let times = times.as_u64().and_then(|times| usize::try_from(times).ok());
            let times = times.ok_or("$repeat takes a text and how often")?;
            Ok(Value::String(text.repeat(times)))
        }
        _ => Err("$repeat takes a text and how often".into()),
    }
}

fn nest(depth: &Value) -> Result<Value, String> {
    let depth = depth.as_u64().ok_or("$nest takes a depth")?;
    let start = Value::Array(Vec::new());
    Ok((1..depth).fold(start, |inner, _| Value::Array(vec![inner])))
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn the_forms_are_built_before_the_call() {
        let long = json!({"$join": ["<", {"$repeat": ["é", 3]}, ">"]});
        let params: Params = from_value(json!({"a": [long], "b": {"$nest": 3}})).unwrap();
        assert_eq!(params.value, json!({"a": ["<ééé>"], "b": [[[]]]}));
        assert_eq!(params.joined, ["<ééé>"]);
    }

    #[test]
    fn a_vector_with_a_typo_is_no_vector() {
        let step = |extra: Value| {
            let mut step = json!({"call": "query", "params": {}});
            let more = extra.as_object().unwrap().clone();
            step.as_object_mut().unwrap().extend(more);
            from_value::<Step>(step).is_ok()
        };
        assert!(step(json!({"has": {"total": 0}})));
        assert!(!step(json!({"hass": {}})));
        assert!(!step(json!({"params": {"a": {"$jion": []}}})));
    }
}
