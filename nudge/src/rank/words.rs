//! `Words`: the text of a query, which finds hints by the words in them.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::hint::Hint;
use crate::model::error::Error;
use crate::store::pattern::{Pattern, Patterns, check_length};
use crate::store::slot::Slot;

/// The most words of a text: one for each bit of what stands whole.
const MAX_WORDS: usize = 32;

/// A word. An underscore parts words, so that `x` is found in `FEATURE_X`.
const WORD: &str = r"[\w--_]+";

/// The words of a text, the longest first, because that one is in the fewest hints.
#[derive(Default)]
pub(crate) struct Words(Vec<Word>);

struct Word {
    /// Finds it where a word begins with it.
    begun: Arc<Pattern>,
    /// Finds it where it is the whole word.
    whole: Arc<Pattern>,
}

impl Words {
    pub(crate) fn new(text: &str, patterns: &Patterns) -> Result<Words, Error> {
        if text.is_empty() {
            return Ok(Words::default());
        }
        check_length("text", text)?;
        let word = patterns.get(WORD)?;
        let mut words: Vec<&str> = word
            .exact
            .find_iter(text)
            .map(|word| word.as_str())
            .collect();
        words.sort_by_cached_key(|word| (Reverse(word.len()), word.to_lowercase()));
        words.dedup_by_key(|word| word.to_lowercase());
        if words.len() > MAX_WORDS {
            let count = words.len();
            let words = format!("text has {count} words, more than {MAX_WORDS}; give fewer");
            return Err(Error::invalid("text", "too_long", words));
        }
        let words = words.into_iter().map(|word| {
            Ok(Word {
                begun: patterns.get(&format!(r"(?i)(?:\b|_){word}"))?,
                whole: patterns.get(&format!(r"(?i)(?:\b|_){word}(?:\b|_)"))?,
            })
        });
        Ok(Words(words.collect::<Result<_, Error>>()?))
    }

    /// What finds the longest word.
    pub(crate) fn longest(&self) -> Option<&Arc<Pattern>> {
        self.0.first().map(|word| &word.begun)
    }

    /// Which words stand whole in a hint, a bit each; `None` where one does not occur.
    pub(crate) fn whole_in(&self, slot: &Slot, hint: &Hint) -> Option<u32> {
        let is_in = |pattern: &Pattern| {
            pattern.exact.is_match(&slot.component) || pattern.is_in(&slot.key, hint)
        };
        self.0.iter().try_fold(0, |whole, word| {
            is_in(&word.begun).then(|| whole << 1 | u32::from(is_in(&word.whole)))
        })
    }
}
