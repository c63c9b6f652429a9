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

#[derive(Debug, PartialEq, Eq)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_known_again_whatever_its_numbers_and_paths() {
        let first = "running 12 tests\nerror[E0308]: mismatched types\n --> /a/src/x.rs:12:5\nerror: could not compile `api` due to 3 previous errors in 0.42s";
        for (other, is_like) in [
            (first.to_owned(), true),
            (
                first
                    .replace("12", "977")
                    .replace("/a/src/x.rs", "/b/y/z.rs"),
                true,
            ),
            (
                first
                    .replace("0.42s", "7m")
                    .replace("3 previous", "2 previous"),
                true,
            ),
            ("error: linker `cc` not found".to_owned(), false),
            (
                "error[E0425]: cannot find value `x` in this scope\nerror: aborting".to_owned(),
                false,
            ),
            (String::new(), false),
        ] {
            let (one, other) = (ErrorWords::of(first), ErrorWords::of(&other));
            assert_eq!(one.is_like(&other), is_like, "{other:?}");
        }
        let hash = ErrorWords::of("fatal: bad object 3f9a0c77 at 12:01:33");
        assert_eq!(
            hash,
            ErrorWords::of("fatal: bad object 00fa0c12 at 23:59:01")
        );
    }
}
