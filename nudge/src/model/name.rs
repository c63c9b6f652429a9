//! `Name`: what components, keys and tags are called.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

use compact_str::CompactString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::active::is_active;
use crate::model::error::Error;
use crate::model::rows::from;
use crate::secret;

/// The longest name of a component or a key, in bytes.
const MAX_BYTES: usize = 128;

/// The name of a component, a key or a tag; it reads as a `str`.
///
/// Names of up to 24 bytes are kept without an allocation, so that a request
/// costs nothing to make. An operation checks the names it is given: 1 to 128
/// bytes, no [active](crate::is_active) characters, no white space at either end.
///
/// # Examples
///
/// ```
/// use nudge::Name;
///
/// let name = Name::from("http-proxy");
/// assert_eq!(name, "http-proxy");
/// assert!(name.starts_with("http"));
/// ```
#[derive(
    Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(with = "String", inline, description = "")]
pub struct Name(CompactString);

impl Name {
    /// Borrows the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it may stand for several names: `*` is any text, `?` any character.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Name;
    ///
    /// assert!(Name::from("old-*").is_pattern());
    /// assert!(!Name::from("[id]").is_pattern());
    /// ```
    #[must_use]
    pub fn is_pattern(&self) -> bool {
        self.contains(['*', '?'])
    }

    /// Whether another name is this one, or is one of those that it stands for.
    pub(crate) fn takes(&self, other: &Name) -> bool {
        let (pattern, name): (Vec<char>, Vec<char>) =
            (self.chars().collect(), other.chars().collect());
        let (mut at, mut next) = (0, 0);
        // Where the last `*` stands, and where what follows it was tried last.
        let mut star = None;
        while next < name.len() || at < pattern.len() {
            match (pattern.get(at), name.get(next)) {
                (Some('*'), _) => {
                    star = Some((at, next));
                    at += 1;
                }
                (Some(asked), Some(letter)) if *asked == '?' || asked == letter => {
                    (at, next) = (at + 1, next + 1);
                }
                _ => match star.take().filter(|(_, tried)| *tried < name.len()) {
                    Some((star_at, tried)) => {
                        star = Some((star_at, tried + 1));
                        (at, next) = (star_at + 1, tried + 1);
                    }
                    None => return false,
                },
            }
        }
        true
    }

    /// Checks what the contract asks of a component or a key.
    pub(crate) fn check(&self, field: &'static str) -> Result<(), Error> {
        check_text(self, field, MAX_BYTES)
    }
}

/// Checks the names that a hint is to stand under.
pub(crate) fn check_names(component: &Name, key: &Name) -> Result<(), Error> {
    component.check("component")?;
    key.check("key")
}

/// Checks a short text that people name things with: not empty, not too long,
/// nothing that a terminal or a reader could stumble over.
pub(crate) fn check_text(text: &str, field: &str, max: usize) -> Result<(), Error> {
    let is_active = |letter: &char| is_active(*letter) && !letter.is_control();
    match text.chars().find(is_active) {
        None => check_path(text, field, max),
        Some(active) => {
            let kind = "invisible or active";
            Err(holds(active, field, "active_character", kind))
        }
    }
}

fn holds(letter: char, field: &str, detail: &'static str, kind: &str) -> Error {
    let code = u32::from(letter);
    let words = format!("{field} holds the {kind} character U+{code:04X}; remove it");
    Error::invalid(field, detail, words)
}

/// Checks a text that names a file or a folder, which may be called what it likes, as
/// far as that fits in a line.
pub(crate) fn check_path(text: &str, field: &str, max: usize) -> Result<(), Error> {
    if text.is_empty() {
        let words = format!("{field} is empty; give it 1 to {max} bytes");
        return Err(Error::invalid(field, "empty", words));
    }
    check_length(text, field, max)?;
    if let Some(control) = text.chars().find(|letter| letter.is_control()) {
        return Err(holds(control, field, "control_character", "control"));
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        let shown = secret::shown(text);
        let words = format!("{field} `{shown}` has white space at an end; trim it");
        return Err(Error::invalid(field, "white_space", words));
    }
    Ok(())
}

/// Checks how long a text is.
pub(crate) fn check_length(text: &str, field: &str, max: usize) -> Result<(), Error> {
    let bytes = text.len();
    if bytes <= max {
        return Ok(());
    }
    let words = format!("{field} has {bytes} bytes, more than {max}; shorten it");
    Err(Error::invalid(field, "too_long", words))
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

from! { Name:
    text: &str => Name(CompactString::new(text));
    text: &String => Name(CompactString::new(text));
    text: String => Name(CompactString::from(text));
    name: &Name => name.clone();
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_takes_the_names_that_it_stands_for() {
        for (pattern, taken, left) in [
            ("api", "api", "apis ap Api"),
            ("api*", "api api* apis api/v2 api-old", "ap an-api"),
            ("*", "a a/b *", ""),
            ("*-old", "api-old -old a-old-old", "old api-older"),
            ("a*b*c", "abc axbxc abbcc", "acb ab"),
            ("v?", "v1 vé v?", "v v12"),
            ("?*", "a ab", ""),
            ("[ab]", "[ab]", "a"),
            ("{a,b}*", "{a,b}c", "a"),
        ] {
            let takes = |name: &str| Name::from(pattern).takes(&Name::from(name));
            assert!(taken.split(' ').all(takes), "{pattern}");
            assert!(!left.split_whitespace().any(takes), "{pattern}");
        }
        let (many, long) = ("*a".repeat(64), "a".repeat(127) + "b");
        assert!(!Name::from(many).takes(&Name::from(long)));
    }
}
