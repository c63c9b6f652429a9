//! Finding something in an event by its path.

use std::borrow::Cow;

use serde_json::Value;

/// What is at a path such as `tool_input.command`. Some hosts write a part of an
/// event as text that is JSON again; a path leads through that too.
pub(super) fn at<'e>(event: &'e Value, path: &str) -> Option<Cow<'e, Value>> {
    let mut here = Cow::Borrowed(event);
    for name in path.split('.') {
        if let Value::String(text) = &*here {
            here = Cow::Owned(serde_json::from_str(text).ok()?);
        }
        here = match here {
            Cow::Borrowed(value) => Cow::Borrowed(below(value, name)?),
            Cow::Owned(value) => Cow::Owned(below(&value, name)?.clone()),
        };
    }
    Some(here)
}

fn below<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    }
}

/// The text at the first of some paths that leads to one.
pub(super) fn text(event: &Value, paths: &[&str]) -> Option<String> {
    paths.iter().find_map(|path| match at(event, path)? {
        Cow::Borrowed(value) => value.as_str().map(str::to_owned),
        Cow::Owned(Value::String(text)) => Some(text),
        Cow::Owned(_) => None,
    })
}

pub(super) fn is_true(event: &Value, paths: &[&str]) -> bool {
    paths
        .iter()
        .any(|path| at(event, path).is_some_and(|value| *value == Value::Bool(true)))
}

/// The whole number at the first of some paths that leads to one.
pub(super) fn number(event: &Value, paths: &[&str]) -> Option<i64> {
    paths.iter().find_map(|path| at(event, path)?.as_i64())
}
