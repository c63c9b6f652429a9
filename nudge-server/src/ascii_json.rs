//! JSON in ASCII, as a header of HTTP takes it.

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
