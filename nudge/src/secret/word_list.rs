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
    words: OnceLock<Words>,
}

struct Words {
    set: HashSet<&'static [u8]>,
    /// For each length, the first letters that words of it have, a bit for each: most questions end here.
    firsts: [u32; WORD_MAX + 1],
}

impl WordList {
    /// Makes a list from words with spaces between them.
    pub(super) const fn new(text: &'static str) -> Self {
        Self {
            text,
            words: OnceLock::new(),
        }
    }

    /// Says whether the list has the word, letter case ignored.
    pub(super) fn has(&self, word: &str) -> bool {
        self.has_bytes(word.as_bytes())
    }

    /// Says the same for a word given as bytes.
    pub(super) fn has_bytes(&self, word: &[u8]) -> bool {
        let words = self.words.get_or_init(|| Words::of(self.text));
        let firsts = words.firsts.get(word.len());
        if firsts.is_none_or(|firsts| firsts & first(word) == 0) {
            return false;
        }
        let mut small = [0; WORD_MAX];
        let Some(small) = small.get_mut(..word.len()) else {
            return false;
        };
        small.copy_from_slice(word);
        small.make_ascii_lowercase();
        words.set.contains(&*small)
    }
}

impl Words {
    fn of(text: &'static str) -> Self {
        let set: HashSet<&[u8]> = text.split(' ').map(str::as_bytes).collect();
        let mut firsts = [0; WORD_MAX + 1];
        for word in &set {
            if let Some(firsts) = firsts.get_mut(word.len()) {
                *firsts |= first(word);
            }
        }
        Self { set, firsts }
    }
}

/// Returns the bit for the first letter of a word; letter case is not among its five bits.
fn first(word: &[u8]) -> u32 {
    word.first().map_or(0, |byte| 1 << (byte & 31))
}
