//! Reading a text that means something, and is refused where it stands if it does not.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// What a text has to be, and how it is read.
struct Meant<T> {
    expected: &'static str,
    read: fn(&str) -> Result<T, String>,
}

impl<T> Visitor<'_> for Meant<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

/// Reads a text; an error is known by its place, which is lost after the text.
pub(crate) fn meant<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    read: fn(&str) -> Result<T, String>,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(Meant { expected, read })
}
