//! A list of words that is asked often and hence kept as a set.

use std::collections::HashSet;
use std::sync::OnceLock;

/// How many bytes the longest word of a list may have.
const WORD_MAX: usize = 24;

/// A fixed list of words in small letters.
pub(super) struct WordList {
    /// The words with spaces between them.
    text: &'static str,
    /// The words as a set, made at the first question.
    set: OnceLock<HashSet<&'static [u8]>>,
}

impl WordList {
    /// Makes a list from words with spaces between them.
    pub(super) const fn new(text: &'static str) -> Self {
        Self {
            text,
            set: OnceLock::new(),
        }
    }

    /// Says whether the list has the word, letter case ignored.
    pub(super) fn has(&self, word: &str) -> bool {
        self.has_bytes(word.as_bytes())
    }

    /// Says the same for a word given as bytes.
    pub(super) fn has_bytes(&self, word: &[u8]) -> bool {
        let mut small = [0; WORD_MAX];
        let Some(small) = small.get_mut(..word.len()) else {
            return false;
        };
        small.copy_from_slice(word);
        small.make_ascii_lowercase();
        let set = self
            .set
            .get_or_init(|| self.text.split(' ').map(str::as_bytes).collect());
        set.contains(&*small)
    }
}

#[cfg(test)]
mod tests {
    use super::WordList;

    #[test]
    fn has_its_words_in_any_case_and_no_others() {
        let list = WordList::new("key api-key");
        assert!(list.has("KEY") && list.has("api-key"));
        assert!(!list.has("") && !list.has("keys") && !list.has(&"k".repeat(99)));
    }
}
