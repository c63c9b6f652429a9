//! `Manifest`: what one file of a project declares.

use super::has;
use crate::platform::sha256;

/// More names than a project needs; what comes after them is not kept.
const MOST_NAMES: usize = 1000;

/// How many words of what a name runs are kept.
const MOST_WORDS: usize = 200;

/// How many names are followed from one to the next.
const MOST_FOLLOWED: usize = 20;

/// The longest name that is offered.
const LONGEST_NAME: usize = 48;

/// How alike two names must be for one to be told as the nearest.
const ALIKE: f64 = 0.75;

#[derive(Debug, Default)]
pub(super) struct Manifest {
    /// What can be run by name.
    pub(super) names: Vec<Declared>,
    /// Whether there may be other names too, as from a file that is included.
    pub(super) is_open: bool,
    /// The tools that it configures or depends on.
    pub(super) tools: Vec<String>,
}

/// A name, and what stands behind it.
#[derive(Debug, PartialEq)]
pub(super) struct Declared {
    /// The name with what stands before it in an anchor, as in `scripts.test`.
    pub(super) name: String,
    /// A hash of what it runs.
    pub(super) slice: String,
    /// The words of what it runs, in lower case.
    words: Vec<String>,
    /// Whether nobody means it: it only says something and fails, as the test of a new
    /// package does, or is a part of other names.
    pub(super) is_idle: bool,
}

impl Manifest {
    pub(super) fn open(is_open: bool) -> Manifest {
        Manifest {
            is_open,
            ..Manifest::default()
        }
    }

    /// Adds a name, unless it is there already.
    pub(super) fn declare(&mut self, name: impl Into<String>, body: &str) {
        let name = name.into();
        if self.names.len() >= MOST_NAMES {
            self.is_open = true;
        } else if self.named(&name).is_none() {
            self.names.push(Declared {
                name,
                slice: slice(body),
                words: words(body),
                is_idle: body.starts_with("echo ") && body.ends_with("exit 1"),
            });
        }
    }

    /// Whether a name runs one of some programs, itself or by other names. One that runs nothing,
    /// as where its rule lies in another file, may as well.
    pub(super) fn runs(&self, name: &str, programs: &str) -> bool {
        // As `$(GO)` and `$(GOTEST)` have them.
        let is_program = |word: &String| {
            let mut rests = programs.split(' ').filter_map(|it| word.strip_prefix(it));
            rests.any(|rest| matches!(rest, "" | "test" | "cmd" | "_test"))
        };
        let mut names: Vec<&Declared> = self.named(name).into_iter().collect();
        let mut at = 0;
        while let Some(known) = names.get(at).copied().filter(|_| at < MOST_FOLLOWED) {
            let is_idle = known.words.iter().all(|word| has("true :", word));
            if is_idle || known.words.iter().any(is_program) {
                return true;
            }
            for other in known.words.iter().filter_map(|word| self.named(word)) {
                if names.len() < MOST_FOLLOWED && !names.contains(&other) {
                    names.push(other);
                }
            }
            at += 1;
        }
        false
    }

    pub(super) fn named(&self, name: &str) -> Option<&Declared> {
        self.names.iter().find(|known| known.name == name)
    }
}

/// The plain name that is most like another, if one is.
pub(super) fn nearest<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> Option<String> {
    let alike = others.filter(|other| is_plain(other));
    let alike = alike.map(|other| (strsim::jaro_winkler(name, other), other));
    let (likeness, best) = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (likeness >= ALIKE).then(|| best.to_owned())
}

/// Whether a name can be told to anybody as a part of a command: one short word that is
/// not a flag and means itself to every shell.
pub(super) fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":_.-".contains(&byte);
    let is_short = (1..=LONGEST_NAME).contains(&name.len());
    is_short && name.bytes().all(is_plain) && !name.starts_with(['-', '.', ':'])
}

/// The words of a text in lower case, each once, as far as some go.
fn words(text: &str) -> Vec<String> {
    let is_end = |letter: char| !letter.is_ascii_alphanumeric() && !"_-:".contains(letter);
    let words = text.split(is_end).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words
        .take(MOST_WORDS)
        .map(str::to_ascii_lowercase)
        .collect();
    words.sort();
    words.dedup();
    words
}

/// The first 16 hex digits of the SHA-256 of a text.
fn slice(text: &str) -> String {
    let mut hex = sha256(text);
    hex.truncate(16);
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_that_means_itself_is_plain() {
        for name in ["test", "test:unit", "e2e_1", "build.js", "a-b"] {
            assert!(is_plain(name), "{name}");
        }
        let long = "a".repeat(49);
        let odd = ["", "a b", "a\nb", "a\u{202e}b", &long];
        let words = "-x --watch . .hidden :x a;b $(x) a`b` <b> é a/b ..".split(' ');
        for name in odd.into_iter().chain(words) {
            assert!(!is_plain(name), "{name}");
        }
    }

    #[test]
    fn names_are_limited() {
        let mut manifest = Manifest::default();
        for number in 0..=MOST_NAMES {
            manifest.declare(number.to_string(), "");
        }
        assert_eq!(manifest.names.len(), MOST_NAMES);
        assert!(manifest.is_open);
    }
}
