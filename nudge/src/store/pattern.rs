//! `Pattern`: a regex given with a query, compiled once and kept.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use parking_lot::Mutex;
use regex::{Captures, Regex};
use regex_automata::util::syntax;

use crate::hint::Hint;
use crate::model::error::Error;
use crate::secret;
use crate::store::automaton::{Automaton, ReadBudget, Scan, Unbuilt};
use crate::store::text_index::parts;

/// The longest regex or text of a query, in bytes.
pub(crate) const MAX_BYTES: usize = 512;

/// How many compiled ones are kept.
const KEPT: usize = 32;

/// A regex over the parts of a hint.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: Box<str>,
    exact: Arc<Automaton>,
    lines: OnceLock<Option<Arc<Automaton>>>,
    /// Whether no match can hold the end of a line.
    stays_in_line: bool,
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, Error> {
        let shown = secret::shown(text);
        let exact = Automaton::new(text, syntax::Config::new()).map_err(|error| match error {
            Unbuilt::TooBig => {
                let words = format!("regex `{shown}` is too big once compiled; repeat less");
                Error::invalid("regex", "too_big", words)
            }
            Unbuilt::Syntax(error) => {
                // The last line says what is wrong; those before it draw it.
                let why = error.lines().last().unwrap_or_default();
                let why = why.trim_start_matches("error: ");
                let fix = r"escape with `\` what is meant literally";
                let words = format!("regex `{shown}` cannot be read: {why}; {fix}");
                Error::invalid("regex", "syntax", words)
            }
        })?;
        Ok(Pattern {
            text: text.into(),
            exact: Arc::new(exact),
            lines: OnceLock::new(),
            stays_in_line: stays_in_line(text),
        })
    }

    /// What matches wherever the regex does, in a text in which each line is a text of its own:
    /// it does not look at where words end, which takes long in what is not ASCII.
    ///
    /// There is none where the regex speaks of the text's very ends, or has
    /// its own idea of what a line is.
    fn by_line(&self) -> Option<&Arc<Automaton>> {
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
            let lines = syntax::Config::new().multi_line(true);
            Automaton::new(&without_ends_of_words(&self.text), lines)
                .ok()
                .map(Arc::new)
        };
        self.lines.get_or_init(by_line).as_ref()
    }
}

/// A regex in the hands of one query.
pub(crate) struct Search {
    exact: Scan,
    lines: Option<ByLine>,
}

/// What finds the lines of a text in which a regex may match.
pub(crate) struct ByLine {
    pub(crate) scan: Scan,
    pub(crate) stays_in_line: bool,
}

impl Search {
    pub(crate) fn new(pattern: &Pattern) -> Search {
        Search {
            exact: Scan::new(&pattern.exact),
            lines: pattern.by_line().map(|lines| ByLine {
                scan: Scan::new(lines),
                stays_in_line: pattern.stays_in_line,
            }),
        }
    }

    pub(crate) fn by_line(&self) -> Option<&ByLine> {
        self.lines.as_ref()
    }

    /// Where the first match from a place on ends.
    pub(crate) fn end_of_match(
        &self,
        text: &str,
        from: usize,
        budget: &ReadBudget,
    ) -> Option<usize> {
        let is_possible = || {
            self.lines.as_ref().is_none_or(|lines| {
                let end = lines.scan.end_of_match(text, from, budget, || true);
                end.is_some()
            })
        };
        self.exact.end_of_match(text, from, budget, is_possible)
    }

    /// Whether the regex is found in the key, the value, a tag or the reason.
    pub(crate) fn is_in(&self, key: &str, hint: &Hint, budget: &ReadBudget) -> bool {
        let value = hint.value.text();
        parts(key, &value, hint).any(|part| self.end_of_match(part, 0, budget).is_some())
    }
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

/// A regex with nothing in the place of `\b` and its like.
fn without_ends_of_words(regex: &str) -> Cow<'_, str> {
    static ENDS: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "the tests read it")]
        Regex::new(r"(?s)\\(?:([bB](?:\{(?:start|end)(?:-half)?\})?|[<>])|.)").unwrap()
    });
    ENDS.replace_all(regex, |found: &Captures<'_>| match found.get(1) {
        Some(_) => "(?:)".to_owned(),
        None => found[0].to_owned(),
    })
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
                let pattern = kept.remove(index);
                kept.push(Arc::clone(&pattern));
                return Ok(pattern);
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
