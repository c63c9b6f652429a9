//! A provider's credential format and how it is matched.

use super::shape;

/// One credential format: a fixed beginning and what has to follow it.
pub(super) struct Rule {
    /// The name under which a refusal reports the rule.
    pub(super) id: &'static str,
    /// What stands directly in front of the key; most formats have nothing there.
    pub(super) head: &'static [Part],
    /// The fixed texts, letter case kept, of which one begins the credential; each has three bytes or more.
    pub(super) keys: &'static [&'static str],
    pub(super) tail: &'static [Part],
}

/// A table of rules, a row each: `"id" after [head]: [keys] [tail];`.
macro_rules! rules {
    (@ [$($part:expr),*]) => { &[$($part),*] };
    (@ $parts:ident) => { $parts };
    ($($id:literal $(after [$($head:expr),*])?: [$($key:literal),*] $tail:tt;)*) => {
        &[$($crate::secret::rule::Rule {
            id: $id,
            head: &[$($($head),*)?],
            keys: &[$($key),*],
            tail: rules!(@ $tail),
        }),*]
    };
}
pub(super) use rules;

#[derive(Clone, Copy)]
pub(super) enum Part {
    Text(&'static str),
    Run(Alphabet, usize, usize),
}

#[derive(Clone, Copy)]
pub(super) enum Alphabet {
    Digit,
    /// Hex digits of either case.
    Hex,
    /// Small letters and digits.
    Lower,
    /// Capital letters and digits.
    Upper,
    Alnum,
    /// Letters, digits, `_` and `-`.
    Url,
    /// The alphabet of base64 with padding.
    Base64,
    /// Letters, digits and the signs that some tokens are joined with.
    Joined,
}

/// Texts in the place of a credential that was left out.
const MASKS: &[&str] = &["xxxx", "XXXX", "your", "YOUR", "EXAMPLE"];

/// Keys that are also the beginnings of ordinary names.
const WORDS: &[&str] = &[
    "test_", "live_", "sandbox_", "secret_", "secret-", "dataset-", "pypi-", "jina_",
];

/// How many bytes behind a key have to show a digit or a capital.
const PEEK: usize = 40;

/// How many bytes of an open-ended piece are looked at; the bound keeps hostile texts cheap.
pub(super) const MANY: usize = 128;

pub(super) const UUID: &[Part] = &[
    Part::Run(Alphabet::Hex, 8, 8),
    Part::Text("-"),
    Part::Run(Alphabet::Hex, 4, 4),
    Part::Text("-"),
    Part::Run(Alphabet::Hex, 4, 4),
    Part::Text("-"),
    Part::Run(Alphabet::Hex, 4, 4),
    Part::Text("-"),
    Part::Run(Alphabet::Hex, 12, 12),
];

impl Rule {
    /// Says whether the credential's key, which is one of the rule's, stands at the place and the rest around it.
    pub(super) fn matches(&self, text: &[u8], at: usize, key: &str) -> bool {
        if text
            .get(at..)
            .is_none_or(|rest| !rest.starts_with(key.as_bytes()))
        {
            return false;
        }
        let Some(start) = before(text, at, self.head).filter(|start| opens(text, *start)) else {
            return false;
        };
        let body = at + key.len();
        // Words in small letters are sent away before anything is counted.
        let peek = text
            .get(body..text.len().min(body + PEEK))
            .unwrap_or_default();
        let plain = |byte: &u8| !byte.is_ascii_digit() && !byte.is_ascii_uppercase();
        if self.head.is_empty() && peek.iter().all(plain) {
            return false;
        }
        let Some(end) = after(text, body, self.tail) else {
            return false;
        };
        let open_ended = matches!(self.tail.last(), Some(Part::Run(_, _, MANY)));
        if !open_ended && text.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        // The longer of the two sides is the random one.
        let random = if at - start > end - body {
            text.get(start..at)
        } else {
            text.get(body..end)
        };
        random
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .is_some_and(|random| is_varied(random, key))
    }
}

impl Alphabet {
    pub(super) const fn has(self, byte: u8) -> bool {
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Lower => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
            Self::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::Joined => {
                byte.is_ascii_alphanumeric()
                    || matches!(
                        byte,
                        b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'%' | b':' | b'|'
                    )
            }
        }
    }

    /// How many of the bytes are of it before the first that is not.
    pub(super) fn run<'b>(self, bytes: impl Iterator<Item = &'b u8>) -> usize {
        bytes.take_while(|byte| self.has(**byte)).count()
    }
}

/// Says whether a credential may begin at the place: no letter or digit touches it from the left.
fn opens(text: &[u8], start: usize) -> bool {
    let Some(byte) = start.checked_sub(1).and_then(|at| text.get(at)) else {
        return true;
    };
    if !byte.is_ascii_alphanumeric() {
        return *byte != b'_';
    }
    // In a quoted text, `\n` is a line break and its letter no part of a word.
    matches!(byte, b'n' | b't' | b'r')
        && start.checked_sub(2).and_then(|at| text.get(at)) == Some(&b'\\')
}

/// Matches the pieces from the place on and returns where they end.
fn after(text: &[u8], mut at: usize, parts: &[Part]) -> Option<usize> {
    for part in parts {
        let rest = text.get(at..)?;
        at += match *part {
            Part::Text(fixed) => rest.starts_with(fixed.as_bytes()).then_some(fixed.len())?,
            Part::Run(alphabet, least, most) => {
                let count = alphabet.run(rest.iter().take(most));
                (count >= least).then_some(count)?
            }
        };
    }
    Some(at)
}

/// Matches the pieces that end at the place, the last first, and returns where they begin.
fn before(text: &[u8], mut at: usize, parts: &[Part]) -> Option<usize> {
    for part in parts.iter().rev() {
        let rest = text.get(..at)?;
        at -= match *part {
            Part::Text(fixed) => rest.ends_with(fixed.as_bytes()).then_some(fixed.len())?,
            Part::Run(alphabet, least, most) => {
                let count = alphabet.run(rest.iter().rev().take(most));
                (count >= least).then_some(count)?
            }
        };
    }
    Some(at)
}

/// Says whether the random part of a credential is neither a mask (`xxxx…`) nor plain words.
fn is_varied(random: &str, key: &str) -> bool {
    let [digit, lower, upper] = shape::kinds(random);
    let mixed = digit
        || lower && upper
        || random.len() >= 16 && random.bytes().all(|byte| byte.is_ascii_uppercase());
    // A long key of its own is telling enough; behind a short one or in a path, words are no credential.
    let plain = key.ends_with('/') && !digit || WORDS.contains(&key);
    let distinct =
        key.len() >= 5 || key.len() == 4 && key.bytes().any(|byte| byte.is_ascii_uppercase());
    let unbroken = random.len() > 28 && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let telling = distinct && !plain || upper && !lower || unbroken;
    mixed && is_no_mask(random) && (telling || !shape::is_natural_name(random))
}

/// Says whether a text has enough different characters and none of the marks of a mask.
fn is_no_mask(random: &str) -> bool {
    let enough = u32::try_from(random.len() / 4)
        .unwrap_or(u32::MAX)
        .clamp(3, 8);
    let masked = MASKS.iter().any(|mark| random.contains(mark)) && !shape::is_random(random);
    shape::distinct(random) >= enough && !masked
}
