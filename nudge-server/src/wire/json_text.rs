//! JSON as text: in ASCII, as a header of HTTP takes it, and with one more field.

use std::fmt::Write;

use serde::Serialize;

/// Writes a value as JSON in ASCII; `None` for what has no JSON.
pub(crate) fn ascii_json(value: &impl Serialize) -> Option<String> {
    let json = serde_json::to_string(value).ok()?;
    let mut ascii = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(character, ' '..='~') {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    Some(ascii)
}

/// The text of an object with one more field at its end, so that the fields of
/// an answer keep the order in which they read best.
pub(crate) fn extended(object: &str, name: &str, json: &str) -> String {
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
    fn a_field_is_added_to_any_object() {
        assert_eq!(extended("{}", "a", "1"), r#"{"a":1}"#);
        assert_eq!(extended(r#"{"b":{}}"#, "a", "1"), r#"{"b":{},"a":1}"#);
    }
}
