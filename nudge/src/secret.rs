//! The secret guard: says whether a text that is to be stored looks like a credential.

mod assignment;
mod command_line;
mod header;
mod jwt;
mod key_block;
mod keyword;
mod login;
mod name;
mod rule;
mod rules;
mod sentence;
mod shape;
mod shell;
mod url;
mod value;

use keyword::{Finding, Topics};
use serde_json::Value;

/// How many values of a JSON text may wait to be looked at; beyond it the text counts as hostile.
const WAITING_MAX: usize = 1 << 20;

/// Returns the id of the first rule that `text` trips, if any.
pub(crate) fn find(text: &str) -> Option<&'static str> {
    let topics = match keyword::scan(text.as_bytes()) {
        Finding::Rule(id) => return Some(id),
        Finding::Topics(topics) => topics,
    };
    let rules: [(Topics, fn(&str) -> Option<&'static str>); 7] = [
        (Topics::KEY_BLOCK, key_block::find),
        (Topics::JWT, jwt::find),
        (Topics::URL, url::find),
        (Topics::HEADER, header::find),
        (Topics::NAME, assignment::find),
        (Topics::COMMAND, command_line::find),
        (Topics::NAME, sentence::find),
    ];
    let called = rules.iter().filter(|(topic, _)| topics.has(*topic));
    called
        .into_iter()
        .find_map(|(_, rule)| rule(text))
        .or_else(|| shape::find_alone(text))
}

/// Returns the id of the first rule that a value under a name trips, if any.
///
/// The name may be a member of a JSON object, a template's variable, an environment variable or the hint's own key.
pub(crate) fn find_named(name: &str, value: &str) -> Option<&'static str> {
    let found = find(value).filter(|id| *id != "hex-value" || !name::is_object(name));
    found.or_else(|| {
        let kind = name::kind(name)?;
        value::is_credential(kind, value).then_some("secret-assignment")
    })
}

/// Returns the id of the first rule that a JSON value trips, if any.
///
/// Every leaf is looked at with the name it stands under, and every name as a text of its own.
pub(crate) fn find_in_json(value: &Value) -> Option<&'static str> {
    let mut waiting = vec![("", value)];
    while let Some((name, value)) = waiting.pop() {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                // Only a password may consist of digits; an amount or an id under such a name is short.
                if name::kind(name) == Some(name::Kind::Password)
                    && value::is_credential(name::Kind::Password, &number.to_string())
                {
                    return Some("secret-assignment");
                }
            }
            Value::String(text) => {
                if let Some(id) = find_named(name, text) {
                    return Some(id);
                }
            }
            Value::Array(list) => waiting.extend(list.iter().map(|entry| (name, entry))),
            Value::Object(members) => {
                if let Some(id) = members.keys().find_map(|key| find(key)) {
                    return Some(id);
                }
                let spoken = spoken_name(members);
                waiting.extend(
                    members
                        .iter()
                        .map(|(key, entry)| match (key.as_str(), spoken) {
                            ("value" | "Value" | "default", Some(spoken)) => (spoken, entry),
                            ("value" | "Value" | "default" | "data" | "plain" | "text", None)
                                if !name.is_empty() =>
                            {
                                (name, entry)
                            }
                            (key, _) => (key, entry),
                        }),
                );
            }
        }
        if waiting.len() > WAITING_MAX {
            return Some("json-too-large");
        }
    }
    None
}

/// Returns the name that an object of the kind `{"name": …, "value": …}` gives to its value.
fn spoken_name(members: &serde_json::Map<String, Value>) -> Option<&str> {
    ["name", "Name", "key", "Key", "variable"]
        .iter()
        .find_map(|key| members.get(*key)?.as_str())
}
