//! The significant words of an error or a prompt.

use crate::command::programs::has;

/// How many words of a text are looked at, from its end, and how many of them are taken.
const LOOKED_AT: usize = 2000;
const MOST: usize = 24;

/// Words that any error may have.
const COMMON: &str = "error errors failed fails fail failure failing fatal warning warnings found cannot could would should \
    with from this that there here have does been were when while then than your into line lines file files code exit \
    status command because after before more most some such only other what which where will must make sure please \
    note help using used uses need needs needed without about undefined unknown invalid missing expected unexpected \
    unable null none true false test tests build run running stack trace traceback recent last call name value type \
    types object function module not the and for are was";

/// The words that tell what a text is about: no common ones, none shorter than
/// four letters unless it is a code such as `E0433`.
pub(super) fn significant(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in split(text).filter(|word| is_significant(word)) {
        if found.len() == MOST {
            break;
        }
        if !found.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            found.push(word.to_owned());
        }
    }
    found
}

/// All words of a text, from its end, in lower case.
pub(super) fn all(text: &str) -> Vec<String> {
    let words = split(text).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_other = |letter: char| !letter.is_alphanumeric() && !"_-.".contains(letter);
    let words = text.rsplit(is_other).take(LOOKED_AT);
    words.map(|word| word.trim_matches(['.', '-', '_']))
}

fn is_significant(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let lower = word.to_lowercase();
    word.len() <= 40 && (is_code(word) || letters >= 4 && !has(COMMON, &lower))
}

/// Whether a word is a code, such as `E0433`, `ENOENT` or `TS2304`.
pub(super) fn is_code(word: &str) -> bool {
    let capital = word.starts_with(|letter: char| letter.is_ascii_uppercase());
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let capitals = word.bytes().filter(u8::is_ascii_uppercase).count();
    let is_number = capital && digits >= 3 && capitals + digits == word.len();
    let is_errno = word.len() >= 5
        && word.starts_with('E')
        && capitals == word.len()
        && word != "ERROR"
        && word != "ERRORS";
    (4..=12).contains(&word.len()) && (is_number || is_errno)
}
