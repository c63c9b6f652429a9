//! The secret guard: says whether a text that is to be stored looks like a credential.

mod assignment;
mod command_line;
mod encoded;
mod fold;
mod header;
mod jwt;
mod key_block;
mod keyword;
mod login;
mod name;
mod phrase;
mod programs;
mod redact;
mod rule;
mod rules;
mod sentence;
mod shape;
mod shell;
mod url;
mod value;
mod word_list;

use fold::fold;
use keyword::{Finding, Topics};

pub use redact::redact;
use serde_json::Value;

/// What stands in the place of a secret.
pub(crate) const MASK: &str = "***";

/// How many values of a JSON text may wait to be looked at; beyond it the text counts as hostile.
const WAITING_MAX: usize = 1 << 20;

/// The search of one kind of rules over a whole text.
type Finder = fn(&str) -> Option<&'static str>;

/// How often what stands in base64 is decoded again.
const DEPTH_MAX: u8 = 2;

/// Returns the id of the first rule that `text` trips, if any.
pub(crate) fn find(text: &str) -> Option<&'static str> {
    find_plain(&fold(text), 0)
}

/// Returns the same for a text without anything that is unseen.
fn find_plain(text: &str, depth: u8) -> Option<&'static str> {
    if depth > DEPTH_MAX {
        return None;
    }
    let topics = match keyword::scan(text.as_bytes()) {
        Finding::Rule(id) => return Some(id),
        Finding::Topics(topics) => topics,
    };
    let rules: [(Topics, Finder); 7] = [
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
        .or_else(|| shape::find_alone(text).filter(|_| depth == 0))
        .or_else(|| phrase::find(text))
        .or_else(|| encoded::find(text, |said| find_plain(said, depth + 1)))
}

/// Returns a text as an error may show it: not if it looks like a credential.
pub(crate) fn shown(text: &str) -> &str {
    if find(text).is_some() { MASK } else { text }
}

/// Returns the id of the first rule that a value under a name trips, if any.
///
/// The name may be a member of a JSON object, a template's variable, an environment variable or the hint's own key.
pub(crate) fn find_named(name: &str, value: &str) -> Option<&'static str> {
    let found = find(value).filter(|id| *id != "hex-value" || !name::is_object(name));
    found.or_else(|| {
        let value = fold(value);
        if !value::may_be_credential(&value) {
            return None;
        }
        let kind = name::kind(&fold(name))?;
        value::is_credential(kind, &value).then_some("secret-assignment")
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
                if name::kind(&fold(name)) == Some(name::Kind::Password)
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

/// No credential that stands alone is shorter than this.
const MIN_SECRET_BYTES: usize = 16;

/// The rule that a text trips which is mostly a short name.
pub(crate) fn find_in_short(text: &str) -> Option<&'static str> {
    // A short name, as nearly all names and tags are, holds no credential.
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./*".contains(&byte);
    if text.len() < MIN_SECRET_BYTES && text.bytes().all(is_named) {
        return None;
    }
    find(text)
}

/// Whether a text that says who or where somebody is looks like a credential.
pub(crate) fn finds_secret(text: &str) -> bool {
    find_in_short(text).is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{find, find_in_json, find_named};

    #[test]
    fn a_name_tells_about_its_value() {
        let value = "X5t7-X_Zeut.byFxK8";
        assert_eq!((find(value), find("")), (None, None));
        assert_eq!(
            find_named("azure_client_secret", value),
            Some("secret-assignment")
        );
        assert_eq!(find_named("azure_client_id", value), None);
        let object = "a6d57aeeb915ddf4fa8db321321d77862f9726d9";
        assert_eq!(find_named("color", object), Some("hex-value"));
        assert_eq!(find_named("mailer.commit", object), None);
    }

    #[test]
    fn walks_json() {
        let value = "K8d2!kqPz7";
        assert!(find_in_json(&json!({"db": [{"password": value}]})).is_some());
        assert!(find_in_json(&json!({"env": [{"name": "X_TOKEN", "value": value}]})).is_some());
        assert!(find_in_json(&json!({"password": {"value": value}})).is_some());
        assert!(find_in_json(&json!({"password": 83_729_104})).is_some());
        assert!(find_in_json(&json!({"3f9a0c3f9a0c3f9a0c3f9a0c3f9a0c77": 1})).is_some());
        assert!(find_in_json(&json!({"env": [{"name": "TOKEN_TTL", "value": "3600"}]})).is_none());
        assert!(
            find_in_json(&json!({"secretKeyRef": {"name": "mailer", "key": "smtp"}})).is_none()
        );
        assert!(find_in_json(&json!({"token_limit": 4096, "password": null})).is_none());
    }

    #[test]
    fn hostile_texts_end() {
        let pieces = "password=|://a:|eyJ.|'|\\\"|key:|mysql -p |-----BEGIN |sk-|é=|$(|<password>";
        for piece in pieces.split('|') {
            let text = piece.repeat(8192 / piece.len());
            let _ = find(&text);
        }
    }
}
