//! JSON as text: in ASCII, as a header of HTTP takes it, without active characters, and
//! with one more field.

use std::fmt::Write;

use nudge::is_active;
use serde::Serialize;

/// Writes a value as JSON in ASCII; `None` for what has no JSON.
pub fn ascii_json(value: &impl Serialize) -> Option<String> {
    let json = serde_json::to_string(value).ok()?;
    Some(escaped(&json, |letter| !matches!(letter, ' '..='~')))
}

/// JSON in which every active character that stands in a text is escaped, so that it
/// can be shown, and read again as what it was. What JSON escapes by itself is left.
#[must_use]
pub fn inert_json(json: &str) -> String {
    escaped(json, |letter| letter > '~' && is_active(letter))
}

fn escaped(json: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_escaped(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(letter);
        }
    }
    text
}

/// The text of an object with one more field at its end, so that the fields of
/// an answer keep the order in which they read best.
#[must_use]
pub fn extended(object: &str, name: &str, json: &str) -> String {
    let fields = object.trim_end().strip_suffix('}').unwrap_or(object);
    let comma = if fields.trim_end().ends_with('{') {
        ""
    } else {
        ","
    };
    format!("{fields}{comma}\"{name}\":{json}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_characters_are_escaped_and_read_again() {
        let value = "größe\n\u{1b}\u{7f}\u{9b}\u{200b}\u{2028}\u{2029}\u{202e}\u{2066}\u{e0041}";
        let json = inert_json(&serde_json::to_string(value).unwrap());
        let escaped = r#""größe\n\u001b\u007f\u009b\u200b\u2028\u2029\u202e\u2066\udb40\udc41""#;
        assert_eq!(json, escaped);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), value);
    }

    #[test]
    fn a_field_is_added_to_any_object() {
        assert_eq!(extended("{}", "a", "1"), r#"{"a":1}"#);
        assert_eq!(extended(r#"{"b":{}}"#, "a", "1"), r#"{"b":{},"a":1}"#);
    }
}
