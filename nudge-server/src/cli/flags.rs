//! What flags have in common: lists, numbers, pairs, and the params they become.

use std::convert::Infallible;

use nudge::{Context, Error};
use serde::Serialize;
use serde_json::{Map, Value};

use super::shell::SHELL;
use super::terminal::misuse;
use crate::proxy::infer;

/// The params of a call, as flags fill them.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Params(Map<String, Value>);

impl Params {
    pub(crate) fn of(request: &impl Serialize) -> Params {
        match serde_json::to_value(request) {
            Ok(Value::Object(fields)) => Params(fields),
            _ => Params::default(),
        }
    }

    pub(crate) fn slot(component: &str, key: &str) -> Params {
        let component = Params::default().with("component", Some(component));
        component.with("key", Some(key))
    }

    pub(crate) fn is_here(&self) -> bool {
        self.0.get("component").is_some_and(|it| it == infer::HERE)
    }

    /// The same with the component that `.` is, where the caller is.
    pub(crate) fn at(self, context: &Context) -> Result<Params, Error> {
        if !self.is_here() {
            return Ok(self);
        }
        let name = infer::component(context).map_err(|error| misuse(error.to_string()))?;
        Ok(self.with("component", Some(name.as_str())))
    }

    /// The same with one more field, if its flag was given.
    pub(crate) fn with(mut self, name: &str, value: Option<impl Into<Value>>) -> Params {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
        self
    }

    /// The same with a switch, if it was turned on.
    pub(crate) fn with_switch(self, name: &str, on: bool) -> Params {
        self.with(name, on.then_some(true))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The params, or nothing when no flag was given.
    pub(crate) fn some(self) -> Option<Value> {
        (!self.0.is_empty()).then_some(Value::Object(self.0))
    }

    /// The component and the key, as they are typed after a command.
    pub(crate) fn typed_slot(&self) -> Option<String> {
        let text = |name| self.0.get(name).and_then(Value::as_str);
        let (component, key) = (text("component")?, text("key")?);
        Some(format!("{} {}", SHELL.quoted(component), SHELL.quoted(key)))
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }
}

/// The items of one use of a list flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List(Vec<String>);

/// Splits a list at its commas, but for those in the braces of a glob. An empty
/// text is an empty list, so that `--tags ''` takes all tags away.
impl From<&str> for List {
    fn from(text: &str) -> List {
        if text.is_empty() {
            return List(Vec::new());
        }
        let mut depth = 0_usize;
        let items = text.split(|letter| {
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            letter == ',' && depth == 0
        });
        List(items.map(str::to_owned).collect())
    }
}

/// All items of a list flag, or nothing when it was not given.
pub(crate) fn items(lists: &[List]) -> Option<Vec<String>> {
    let items = lists.iter().flat_map(|list| list.0.iter().cloned());
    (!lists.is_empty()).then(|| items.collect())
}

/// All pairs of a flag, or nothing when it was not given.
pub(crate) fn named(pairs: &[(String, String)]) -> Option<Value> {
    (!pairs.is_empty()).then(|| pairs.iter().cloned().collect())
}

/// Reads a number as a number, and anything else as text, which the store
/// refuses with the words it has for that field.
#[expect(
    clippy::unnecessary_wraps,
    reason = "clap takes readers that may refuse"
)]
pub(crate) fn number(text: &str) -> Result<Value, Infallible> {
    let number = serde_json::from_str::<serde_json::Number>(text);
    Ok(number.map_or_else(|_| Value::from(text), Value::Number))
}

/// Reads `NAME=VALUE`. It is not split at commas, which a value may hold.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(format!("write it as `{text}=VALUE`")),
    }
}
