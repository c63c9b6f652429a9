//! Character classes, read from the text of the pattern as they are used.

use super::case::Case;

type Test = fn(char) -> bool;

/// Finds the bracket that closes the class opened at a place.
///
/// A bracket right after the opening (or after its `^` or `!`) stands for itself.
pub(super) fn end(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    if matches!(text.get(at), Some(b'^' | b'!')) {
        at += 1;
    }
    if text.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match text.get(at)? {
            b'\\' => at += 2,
            b']' => return Some(at),
            b'[' => at += named(text.get(at..)?).map_or(1, |(_, length)| length),
            _ => at += 1,
        }
    }
}

/// Tells whether the brackets of a class may also stand for themselves.
///
/// A class that holds nothing but simple characters takes its own text too, so that a folder called
/// `[old]` is found.
pub(super) fn takes_itself(inner: &str) -> bool {
    !inner.contains([
        '-', '*', '+', '?', '.', '^', '$', '{', '}', '(', '|', ')', '[', ']', '\\',
    ])
}

/// Tells whether a class, given without its brackets, takes a character.
pub(super) fn takes<C: Case>(inner: &str, character: char) -> bool {
    let positive = inner.strip_prefix(['^', '!']);
    if positive.is_some() && character == '/' {
        return false;
    }
    let items = positive.unwrap_or(inner);
    C::any(character, |one| holds(items, one)) != positive.is_some()
}

/// Tells whether the items of a class hold a character.
fn holds(items: &str, character: char) -> bool {
    let mut rest = items;
    while !rest.is_empty() {
        if let Some((test, length)) = named(rest.as_bytes()) {
            if test(character) {
                return true;
            }
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let Some((low, after)) = item(rest) else {
            return false;
        };
        let range = after.strip_prefix('-').and_then(item);
        let (high, after) = range.unwrap_or((low, after));
        if (low..=high).contains(&character) {
            return true;
        }
        rest = after;
    }
    false
}

/// Splits the first item, perhaps escaped, off the items of a class.
fn item(rest: &str) -> Option<(char, &str)> {
    let escaped = rest.strip_prefix('\\').filter(|after| !after.is_empty());
    let mut characters = escaped.unwrap_or(rest).chars();
    characters
        .next()
        .map(|character| (character, characters.as_str()))
}

/// Reads a named class such as `[:alpha:]` off the front of a text, giving its test and its length.
fn named(text: &[u8]) -> Option<(Test, usize)> {
    let inner = text.strip_prefix(b"[:")?;
    let length = inner.iter().position(|byte| !byte.is_ascii_lowercase())?;
    let (name, close) = inner.split_at_checked(length)?;
    if !close.starts_with(b":]") {
        return None;
    }
    let check: Test = match name {
        b"alnum" => |one| one.is_ascii_alphanumeric(),
        b"alpha" => |one| one.is_ascii_alphabetic(),
        b"ascii" => |one| one.is_ascii(),
        b"blank" => |one| matches!(one, ' ' | '\t'),
        b"cntrl" => |one| one.is_ascii_control(),
        b"digit" => |one| one.is_ascii_digit(),
        b"graph" => |one| one.is_ascii_graphic(),
        b"lower" => |one| one.is_ascii_lowercase(),
        b"print" => |one| matches!(one, ' '..='~'),
        b"punct" => |one| one.is_ascii_punctuation(),
        b"space" => |one| matches!(one, ' ' | '\t'..='\r'),
        b"upper" => |one| one.is_ascii_uppercase(),
        b"word" => |one| one.is_ascii_alphanumeric() || one == '_',
        b"xdigit" => |one| one.is_ascii_hexdigit(),
        _ => return None,
    };
    Some((check, length + 4))
}
