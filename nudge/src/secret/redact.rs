//! Redaction: what looks like a credential is taken out of a text that is kept.

use std::borrow::Cow;

use super::fold::fold;
use super::{MASK, find, key_block};

/// The longest text that is searched; a longer one that trips the guard goes as a whole.
const LONGEST: usize = 8 * 1024;

/// The shortest credential that is looked for elsewhere in its text.
const SHORTEST: usize = 8;

/// How many credentials of one text are looked for.
const MOST: usize = 32;

/// Takes what looks like a credential out of a text, and leaves every other text as it is.
///
/// What is left never trips the guard: where a credential cannot be told from
/// what stands around it, all of the text goes.
///
/// # Examples
///
/// ```
/// let text = concat!("DB_PASSWORD=xK92", "mQp7Lw make test");
/// assert_eq!(nudge::redact(text), "DB_PASSWORD=*** make test");
/// assert_eq!(nudge::redact("make -j4"), "make -j4");
/// ```
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut left = Cow::Borrowed(text);
    for _ in 0..=MOST {
        let less = match find(&left) {
            None => return left,
            // A key has many lines, of which the first is enough for the guard.
            Some(id) if id.ends_with("private-key") => None,
            Some(_) if text.len() > LONGEST || key_block::find(&fold(text)).is_some() => None,
            Some(_) => without_first(&left),
        };
        let Some(less) = less else { break };
        left = Cow::Owned(less);
    }
    Cow::Borrowed(MASK)
}

/// The text without the credential that a reader meets first; `None` when it
/// cannot be located.
fn without_first(text: &str) -> Option<String> {
    let words = words(text);
    // Up to here the text trips the guard, and a word sooner it does not.
    let trips = |end: usize| text.get(..end).and_then(find).is_some();
    let last = words.iter().position(|(_, end)| trips(*end))?;
    let known = words.get(..=last)?;
    let (head, tail) = text.split_at_checked(known.last()?.1)?;
    let mut masked = head.to_owned();
    let mut credentials = Vec::new();
    // From the right, so that what is left of it stays in its place.
    for (start, end) in known.iter().rev() {
        if let Some(from) = credential(head, *start, *end) {
            masked.replace_range(from..*end, MASK);
            credentials.extend(head.get(from..*end));
        }
    }
    if masked == head {
        return None;
    }
    masked.push_str(tail);
    // What is known to be one here is one wherever it stands.
    credentials.retain(|it| it.len() >= SHORTEST);
    let hide = |text: String, it| without(&text, it);
    Some(credentials.into_iter().fold(masked, hide))
}

/// The text without a word, wherever it is no part of a longer one.
fn without(text: &str, word: &str) -> String {
    let is_inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        left.push_str(before);
        let is_part = is_inside(left.chars().next_back()) || is_inside(after.chars().next());
        left.push_str(if is_part { word } else { MASK });
        rest = after;
    }
    left + rest
}

/// The words of a text, by their first byte and the one behind their last.
/// Quotes end a word as spaces do.
fn words(text: &str) -> Vec<(usize, usize)> {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`');
    let mut words = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(ends) {
        let word = piece.trim_end_matches(ends);
        if !word.is_empty() {
            words.push((start, start + word.len()));
        }
        start += piece.len();
    }
    words
}

/// Where the credential of a word begins, if the text trips over this word's.
///
/// A credential may be exchanged for another one of the same looks, and the text
/// trips the guard still. What stands around it, as `--password` or `docker
/// login` do, may not.
fn credential(text: &str, start: usize, end: usize) -> Option<usize> {
    let trips_with = |from: usize, piece: &str| {
        let around = text.get(..from).zip(text.get(end..));
        around.is_some_and(|(before, after)| find(&[before, piece, after].concat()).is_some())
    };
    if trips_with(start, MASK) {
        return None;
    }
    let word = text.get(start..end)?;
    let is_credential = |(at, _): &(usize, char)| {
        let rest = word.get(*at..).unwrap_or_default();
        let plain = fold(rest);
        let other = exchanged(&plain);
        other != *plain && !trips_with(start + at, MASK) && trips_with(start + at, &other)
    };
    let (at, _) = word.char_indices().find(is_credential)?;
    let (name, rest) = word.split_at_checked(at)?;
    let signs = rest.len() - rest.trim_start_matches(['=', ':', '/']).len();
    let piece = name.rsplit(['=', ':', '/', '@', '&', '?']).next()?;
    // A random part in front of a fixed one belongs to the credential.
    let random = piece.bytes().any(|byte| byte.is_ascii_digit());
    Some(start + if random { at - piece.len() } else { at + signs })
}

/// Another word of the same looks: each letter and digit becomes the next of its kind.
fn exchanged(word: &str) -> String {
    let next = |letter: char| match letter {
        'f' => 'a',
        'z' => 'g',
        'F' => 'A',
        'Z' => 'G',
        '9' => '0',
        'a'..='y' | 'A'..='Y' | '0'..='8' => char::from(letter as u8 + 1),
        other => other,
    };
    word.chars().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn only_the_credential_goes() {
        let value = concat!("xK92", "mQp7Lw");
        let cases = "\
mysql -u root -p@ app
tool --password @ --all
DB_PASSWORD=@ make test
echo @ | docker login -u ci --password-stdin
A_TOKEN=@ B_SECRET='@' make
frob @ && echo @ | sudo -S frob";
        let cases = cases
            .lines()
            .map(|line| (line.replace('@', value), line.replace('@', "***")));
        let clone = format!("git clone https://dana:{value}@git.example.com/x.git");
        let unseen = "größe DB_PASSWORD=xK9\u{200b}2mQp7Lw make";
        let wide = format!("set \u{ff24}B_PASSWORD={}\u{ff57} ok", &value[..9]);
        let others = [
            (clone, "git clone ***".to_owned()),
            (unseen.to_owned(), "größe DB_PASSWORD=*** make".to_owned()),
            (wide, "set \u{ff24}B_PASSWORD=*** ok".to_owned()),
        ];
        for (text, left) in cases.chain(others) {
            assert_eq!(redact(&text), left, "{text}");
        }
    }

    #[test]
    fn a_key_goes_with_all_its_lines() {
        let line = concat!("9EcsuBRxf", "iqQhTuRqpTYZzNkmNlTkj8b");
        let key = format!(
            "-----BEGIN RSA PRIVATE KEY-----\n{line}\n{line}x\n-----END RSA PRIVATE KEY-----"
        );
        assert_eq!(redact(&key), "***");
    }

    #[test]
    fn any_text_is_left_without_what_the_guard_finds() {
        let value = concat!("xK92", "mQp7Lw");
        for text in [
            format!("DB_PASSWORD={value} é ").repeat(40),
            format!("--token {value} ").repeat(400),
            format!("é --password=\"{value}"),
        ] {
            assert!(!redact(&text).contains(value), "{text}");
        }
    }
}
