//! `Words`: the text of a query, which finds hints by the words in them.

use std::cmp::Reverse;
use std::iter::{once, successors};
use std::sync::LazyLock;

use regex::Regex;
use regex_automata::util::look::LookMatcher;

use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::check_length;
use crate::store::automaton::ReadBudget;
use crate::store::pattern::{MAX_BYTES, Patterns, Search};
use crate::store::slot::Slot;
use crate::store::text_index::parts;

/// The most words of a text: one for each bit of what stands whole.
const MAX_WORDS: usize = 32;

/// The words of a text, the longest first, because that one is in the fewest hints.
#[derive(Default)]
pub(crate) struct Words(pub(crate) Vec<Word>);

pub(crate) struct Word {
    search: Search,
    chars: usize,
}

impl Words {
    pub(crate) fn new(text: &str, patterns: &Patterns) -> Result<Words, Error> {
        // An underscore parts words, so that `x` is found in `FEATURE_X`.
        static WORD: LazyLock<Regex> = LazyLock::new(|| {
            #[expect(clippy::unwrap_used, reason = "the tests read it")]
            Regex::new(r"[\w--_]+").unwrap()
        });
        if text.is_empty() {
            return Ok(Words::default());
        }
        check_length(text, "text", MAX_BYTES)?;
        let mut words: Vec<&str> = WORD.find_iter(text).map(|word| word.as_str()).collect();
        words.sort_by_cached_key(|word| (Reverse(word.len()), word.to_lowercase()));
        words.dedup_by_key(|word| word.to_lowercase());
        if words.len() > MAX_WORDS {
            let count = words.len();
            let words = format!("text has {count} words, more than {MAX_WORDS}; give fewer");
            return Err(Error::invalid("text", "too_long", words));
        }
        let words = words.into_iter().map(|word| {
            Ok(Word {
                search: Search::new(&*patterns.get(&format!("(?i){word}"))?),
                chars: word.chars().count(),
            })
        });
        Ok(Words(words.collect::<Result<_, Error>>()?))
    }

    /// What finds the longest word.
    pub(crate) fn longest(&self) -> Option<&Search> {
        self.0.first().map(|word| &word.search)
    }

    /// Which words stand whole in a hint, a bit each; `None` where one does not occur.
    pub(crate) fn whole_in(&self, slot: &Slot, hint: &Hint, budget: &ReadBudget) -> Option<u32> {
        if self.0.is_empty() {
            return Some(0);
        }
        let value = hint.value.text();
        let texts = once(slot.component.as_str()).chain(parts(&slot.key, &value, hint));
        self.0.iter().try_fold(0, |whole, word| {
            let seen = texts.clone().filter_map(|text| word.seen_in(text, budget));
            let is_whole = max_until_true(seen)?;
            Some(whole << 1 | u32::from(is_whole))
        })
    }
}

impl Word {
    /// Whether it stands whole in a text; `None` where no word even begins with it.
    fn seen_in(&self, text: &str, budget: &ReadBudget) -> Option<bool> {
        let is_parted = |at: usize| {
            let ends = LookMatcher::new().is_word_unicode(text.as_bytes(), at);
            let (before, after) = text.split_at(at);
            ends.unwrap_or(true) || before.ends_with('_') || after.starts_with('_')
        };
        let ends = successors(Some(0), |&from| {
            self.search.end_of_match(text, from, budget)
        });
        let seen = ends.skip(1).filter_map(|end| {
            // It has as many characters in capitals.
            let mut chars = text.get(..end)?.char_indices().rev();
            let (start, _) = chars.nth(self.chars.checked_sub(1)?)?;
            is_parted(start).then(|| is_parted(end))
        });
        max_until_true(seen)
    }
}

/// True once one is, false if there is one at all.
fn max_until_true(mut all: impl Iterator<Item = bool>) -> Option<bool> {
    let first = all.next()?;
    Some(first || all.any(|one| one))
}
