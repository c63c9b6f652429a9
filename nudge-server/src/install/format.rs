//! Config files as text: what is at a key, and edits that leave the rest as it is.

mod json;
mod toml;

pub(crate) use self::json::Tree;

use self::json::options;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON, and what a host reads beside it.
    Json {
        comments: bool,
        /// Commas after the last of a list.
        commas: bool,
    },
    Toml,
}

/// A value that Nudge reads or writes. Others are left as they are, unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(u32),
    Switch(bool),
    List(Vec<String>),
    Map(Vec<(String, Value)>),
}

/// Makes a key say something, with what is missing above it, or takes it away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit<'k> {
    keys: Vec<&'k str>,
    value: Option<Value>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// What it says, as far as Nudge can say it.
    pub(crate) value: Option<Value>,
    /// The keys below it, whatever they say.
    pub(crate) names: Vec<String>,
}

/// Why a config cannot be read or edited, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// What is wrong there, in lower case.
    pub(crate) words: String,
}

impl<'k> Edit<'k> {
    pub(crate) fn set(keys: &[&'k str], value: Value) -> Edit<'k> {
        let (keys, value) = (keys.to_vec(), Some(value));
        Edit { keys, value }
    }

    pub(crate) fn remove(keys: &[&'k str]) -> Edit<'k> {
        let (keys, value) = (keys.to_vec(), None);
        Edit { keys, value }
    }
}

impl Format {
    pub(crate) fn look(self, text: &str, keys: &[&str]) -> Result<Option<Found>, Flaw> {
        match self {
            Format::Json { comments, commas } => json::look(text, keys, &options(comments, commas)),
            Format::Toml => toml::look(text, keys),
        }
    }

    /// A config after some edits. All else keeps its place, its comments and
    /// its layout; what is no table is refused, and so never written over.
    pub(crate) fn edit(self, text: &str, edits: &[Edit<'_>]) -> Result<String, Flaw> {
        match self {
            Format::Json { comments, commas } => {
                json::edit(text, edits, &options(comments, commas))
            }
            Format::Toml => toml::edit(text, edits),
        }
    }

    /// A config in JSON as a tree, to be edited at these keys in ways that are not an [`Edit`].
    pub(crate) fn tree(self, text: &str, keys: &[&[&str]]) -> Result<Tree, Flaw> {
        match self {
            Format::Json { comments, commas } => json::tree(text, keys, &options(comments, commas)),
            Format::Toml => Err(flaw(text, 0, "this is not JSON")),
        }
    }

    /// Whether a config has something at a key.
    pub(crate) fn has(self, text: &str, keys: &[&str]) -> bool {
        self.look(text, keys).is_ok_and(|found| found.is_some())
    }

    /// Whether two configs differ in nothing but layout.
    pub(crate) fn is_same(self, one: &str, other: &str) -> bool {
        let is_same = match self {
            Format::Json { .. } => json::is_same(one, other, &options(true, true)),
            Format::Toml => toml::is_same(one, other),
        };
        is_same || (self.is_empty(one) && self.is_empty(other))
    }

    pub(crate) fn is_empty(self, text: &str) -> bool {
        text.trim().is_empty()
            || match self {
                Format::Json { .. } => json::is_same(text, "{}", &options(true, true)),
                Format::Toml => false,
            }
    }
}

/// The line and the column of a byte, from 1.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The flaw of a text at a byte.
fn flaw(text: &str, byte: usize, words: impl Into<String>) -> Flaw {
    let (line, column) = position(text, byte);
    Flaw {
        line,
        column,
        words: words.into(),
    }
}

#[cfg(test)]
mod tests;
