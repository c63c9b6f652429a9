//! `Pattern`: a regex given with a query, compiled once and kept.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use regex::{Regex, RegexBuilder};

use crate::hint::Hint;
use crate::model::error::Error;
use crate::secret;
use crate::store::text_index::parts;

/// The longest regex or text of a query, in bytes.
const MAX_BYTES: usize = 512;

/// How large a compiled regex may be. Far above what people write; a counted
/// repetition of a large class runs into it before it costs anything.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// How many compiled ones are kept.
const KEPT: usize = 32;

/// A regex over the parts of a hint.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: Box<str>,
    pub(crate) exact: Regex,
    lines: OnceLock<Option<ByLine>>,
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, Error> {
        let shown = secret::shown(text);
        let exact = builder(text).build().map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => Error::invalid(
                "regex",
                "too_big",
                format!("regex `{shown}` is too big once compiled; repeat less"),
            ),
            error => {
                // The last line says what is wrong; those before it draw it.
                let error = error.to_string();
                let why = error.lines().last().unwrap_or_default();
                let why = why.trim_start_matches("error: ");
                Error::invalid(
                    "regex",
                    "syntax",
                    format!("regex `{shown}` cannot be read: {why}; escape with `\\` what is meant literally"),
                )
            }
        })?;
        Ok(Pattern {
            text: text.into(),
            exact,
            lines: OnceLock::new(),
        })
    }

    /// Whether the regex is found in the key, the value, a tag or the reason.
    pub(crate) fn is_in(&self, key: &str, hint: &Hint) -> bool {
        let value = hint.value.text();
        parts(key, &value, hint).any(|part| self.exact.is_match(part))
    }

    /// The same regex for a text in which each line is a text of its own.
    ///
    /// There is none where the regex speaks of the text's very ends, or has
    /// its own idea of what a line is.
    pub(crate) fn by_line(&self) -> Option<&ByLine> {
        let by_line = || {
            let ends = self.text.contains(r"\A") || self.text.contains(r"\z");
            let mut flags = self.text.split("(?").skip(1);
            let other_lines = flags.any(|rest| {
                let flags = rest.split([')', ':', '<']).next();
                flags.is_some_and(|flags| flags.contains(['-', 'R']))
            });
            if ends || other_lines {
                return None;
            }
            Some(ByLine {
                regex: builder(&self.text).multi_line(true).build().ok()?,
                stays_in_line: stays_in_line(&self.text),
            })
        };
        self.lines.get_or_init(by_line).as_ref()
    }
}

/// Checks how long a regex or a text is that a query gives.
pub(crate) fn check_length(field: &'static str, text: &str) -> Result<(), Error> {
    let bytes = text.len();
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let words = format!("{field} has {bytes} bytes, more than {MAX_BYTES}; shorten it");
    Err(Error::invalid(field, "too_long", words))
}

/// A regex for a text in which each line is a text of its own.
#[derive(Debug)]
pub(crate) struct ByLine {
    pub(crate) regex: Regex,
    /// Whether no match can hold the end of a line.
    pub(crate) stays_in_line: bool,
}

/// Whether a regex surely matches no line feed: it has nothing but literals,
/// dots, repetitions, plain classes and the escapes that name none.
fn stays_in_line(regex: &str) -> bool {
    let plain = regex.replace("(?i)", "(").replace("(?:", "(");
    let mut rest = plain.chars();
    while let Some(char) = rest.next() {
        let fine = match char {
            '\\' => rest
                .next()
                .is_some_and(|next| "dwbB".contains(next) || next.is_ascii_punctuation()),
            '[' => !rest.as_str().starts_with(['^', '[']) && !rest.as_str().contains("&&"),
            '(' => !rest.as_str().starts_with('?'),
            _ => !char.is_control(),
        };
        if !fine {
            return false;
        }
    }
    true
}

fn builder(text: &str) -> RegexBuilder {
    let mut builder = RegexBuilder::new(text);
    builder
        .size_limit(MAX_COMPILED_BYTES)
        .dfa_size_limit(MAX_COMPILED_BYTES);
    builder
}

/// The regexes of late, the latest last. Compiling one takes ten times as
/// long as the query it is for.
#[derive(Debug, Default)]
pub(crate) struct Patterns(Mutex<Vec<Arc<Pattern>>>);

impl Patterns {
    /// The compiled form of a regex.
    pub(crate) fn get(&self, text: &str) -> Result<Arc<Pattern>, Error> {
        {
            let mut kept = self.0.lock();
            if let Some(index) = kept.iter().rposition(|pattern| &*pattern.text == text) {
                kept.get_mut(index..).unwrap_or_default().rotate_left(1);
                if let Some(pattern) = kept.last() {
                    return Ok(Arc::clone(pattern));
                }
            }
        }
        let pattern = Arc::new(Pattern::new(text)?);
        let mut kept = self.0.lock();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(Arc::clone(&pattern));
        Ok(pattern)
    }
}
