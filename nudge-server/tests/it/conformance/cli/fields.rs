//! The fields of a call, taken one by one as a command line can say them.

use serde_json::{Map, Value};

/// What cannot be typed.
pub(super) type Unsaid = String;

/// The fields of some params that are still to be said, and where they are.
pub(super) struct Fields(pub(super) Map<String, Value>, pub(super) &'static str);

impl Fields {
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }

    /// That a field is of another kind than a command line can say.
    fn unsaid<T>(&self, name: &str, is: &str, other: &Value) -> Result<T, Unsaid> {
        Err(format!("`{}{name}` {is}, not {}", self.1, kind(other)))
    }

    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Unsaid> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.contains('\0') => {
                Err(format!("`{}{name}` holds a NUL", self.1))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => self.unsaid(name, "is text on a command line", &other),
        }
    }

    pub(super) fn number(&mut self, name: &str) -> Result<Option<String>, Unsaid> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            // Text that is no number arrives as text.
            Some(Value::String(text)) if text.parse::<f64>().is_err() => Ok(Some(text)),
            Some(other) => self.unsaid(name, "is a number on a command line", &other),
        }
    }

    pub(super) fn list(&mut self, name: &str) -> Result<Vec<String>, Unsaid> {
        // Where a lone text may stand for a list, a flag gives that list.
        let lone = self.1 == "scope." || name == "repo";
        let items = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::String(text)) if lone => vec![Value::String(text)],
            Some(Value::Array(items)) if items.is_empty() => return Ok(vec![String::new()]),
            Some(Value::Array(items)) if items.len() == 1 && items[0] == "" => {
                return self.unsaid(name, "with an empty text alone is an empty list", &items[0]);
            }
            Some(Value::Array(items)) => items,
            Some(other) => return self.unsaid(name, "is a list on a command line", &other),
        };
        let item = |item: Value| match item {
            Value::String(text) if !splits(&text) && !text.contains('\0') => Ok(text),
            Value::String(_) => self.unsaid(name, "lists text without a comma or a NUL", &item),
            other => self.unsaid(name, "lists text", &other),
        };
        items.into_iter().map(item).collect()
    }

    pub(super) fn switch(&mut self, name: &str) -> Result<bool, Unsaid> {
        match self.take(name) {
            None | Some(Value::Bool(false)) => Ok(false),
            Some(Value::Bool(true)) => Ok(true),
            Some(other) => self.unsaid(name, "is a switch", &other),
        }
    }

    pub(super) fn object(&mut self, name: &str) -> Result<Option<Map<String, Value>>, Unsaid> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(fields)),
            Some(other) => self.unsaid(name, "is made of flags", &other),
        }
    }

    /// Refuses what has no flag.
    pub(super) fn end(self) -> Result<(), Unsaid> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("there is no flag for `{}{name}`", self.1)),
        }
    }
}

/// Whether the CLI would split a text in two.
fn splits(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
}

pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
