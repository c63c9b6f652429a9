//! By what an error is known again: the words of its last lines, without numbers, paths and
//! whatever else differs from one time to the next.

use std::collections::BTreeSet;

/// How many lines that speak of an error are looked at, from the end.
const LINES: usize = 5;

/// How many of the last lines are, where none speaks of one.
const LAST: usize = 3;

/// How much of the words of two errors must be the same.
const ALIKE: f64 = 0.6;

/// What a line has in it that speaks of an error.
const SIGNS: [&str; 16] = [
    "error",
    "fail",
    "panic",
    "exception",
    "cannot",
    "can't",
    "could not",
    "not found",
    "no such",
    "undefined",
    "unresolved",
    "fatal",
    "denied",
    "refused",
    "missing",
    "invalid",
];

#[derive(Debug)]
pub(super) struct ErrorWords(pub(super) BTreeSet<String>);

impl ErrorWords {
    /// The words of what a command printed.
    pub(super) fn of(text: &str) -> ErrorWords {
        let lines = || text.lines().rev().filter(|line| !line.trim().is_empty());
        let speaks = |line: &&str| {
            let line = line.to_lowercase();
            SIGNS.iter().any(|sign| line.contains(sign))
        };
        let mut chosen: Vec<&str> = lines().filter(speaks).take(LINES).collect();
        if chosen.is_empty() {
            chosen = lines().take(LAST).collect();
        }
        let words = chosen.iter().flat_map(|line| line.split_whitespace());
        let words = words.filter(|word| !word.trim_start_matches("./").contains('/'));
        let parts = words.flat_map(|word| {
            let ends = |letter: char| !letter.is_alphanumeric() && letter != '_';
            word.split(ends).filter(|part| is_lasting(part))
        });
        ErrorWords(parts.map(str::to_lowercase).collect())
    }

    /// The words that not every error has; all of them, where there is no other.
    pub(super) fn telling(&self) -> impl Iterator<Item = &String> {
        let tells = |word: &String| !SIGNS.iter().any(|sign| word.starts_with(sign));
        let any_tells = self.0.iter().any(tells);
        self.0.iter().filter(move |word| !any_tells || tells(word))
    }

    pub(super) fn is_like(&self, other: &ErrorWords) -> bool {
        let both = self.0.intersection(&other.0).count();
        let either = self.0.union(&other.0).count();
        #[expect(clippy::cast_precision_loss, reason = "there are a few dozen words")]
        let share = both as f64 / either.max(1) as f64;
        share >= ALIKE
    }
}

/// Whether a part of a word is there the next time too. Numbers, times, sizes and hashes
/// begin with a digit; the code of an error, such as `E0308`, does not.
fn is_lasting(part: &str) -> bool {
    let is_hex = part.len() >= 6
        && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        && part.bytes().any(|byte| byte.is_ascii_digit());
    part.len() > 1 && !part.starts_with(|letter: char| letter.is_ascii_digit()) && !is_hex
}
