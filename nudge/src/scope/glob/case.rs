//! Comparison of text, with case and without.

/// A way to compare a piece of a pattern with a piece of a path.
pub(super) trait Case {
    fn same(one: char, other: char) -> bool;

    /// Takes one character of the pattern off the path, giving how many bytes that was in the
    /// pattern and in the path.
    fn step(pattern: &[u8], path: &[u8]) -> Option<(usize, usize)>;

    /// Takes a literal off the front of the path, giving how many bytes of the path that was.
    fn literal(literal: &[u8], path: &[u8]) -> Option<usize>;

    /// Tells whether a character, or the same character in another case, satisfies a test.
    fn any(character: char, test: impl Fn(char) -> bool) -> bool;
}

pub(super) struct Exact;

pub(super) struct Fold;

impl Case for Exact {
    fn same(one: char, other: char) -> bool {
        one == other
    }

    #[inline]
    fn step(pattern: &[u8], path: &[u8]) -> Option<(usize, usize)> {
        // Bytes do for characters here: equal bytes make equal characters.
        (pattern.first()? == path.first()?).then_some((1, 1))
    }

    #[inline]
    fn literal(literal: &[u8], path: &[u8]) -> Option<usize> {
        path.starts_with(literal).then_some(literal.len())
    }

    fn any(character: char, test: impl Fn(char) -> bool) -> bool {
        test(character)
    }
}

impl Case for Fold {
    fn same(one: char, other: char) -> bool {
        one.eq_ignore_ascii_case(&other) || one.to_lowercase().eq(other.to_lowercase())
    }

    #[inline]
    fn step(pattern: &[u8], path: &[u8]) -> Option<(usize, usize)> {
        let (&one, &other) = (pattern.first()?, path.first()?);
        if one.is_ascii() && other.is_ascii() {
            return one.eq_ignore_ascii_case(&other).then_some((1, 1));
        }
        let (one, other) = (first(pattern)?, first(path)?);
        Fold::same(one, other).then_some((one.len_utf8(), other.len_utf8()))
    }

    #[inline]
    fn literal(literal: &[u8], path: &[u8]) -> Option<usize> {
        let front = path.get(..literal.len()).unwrap_or(path);
        if front.eq_ignore_ascii_case(literal) {
            return Some(literal.len());
        }
        if literal.is_ascii() && front.is_ascii() {
            return None;
        }
        let (mut taken, mut used) = (0, 0);
        while taken < literal.len() {
            let (one, other) = Fold::step(literal.get(taken..)?, path.get(used..)?)?;
            taken += one;
            used += other;
        }
        Some(used)
    }

    fn any(character: char, test: impl Fn(char) -> bool) -> bool {
        if character.is_ascii() {
            return test(character.to_ascii_lowercase()) || test(character.to_ascii_uppercase());
        }
        test(character)
            || character.to_lowercase().any(&test)
            || character.to_uppercase().any(&test)
    }
}

/// Gives the first character of a piece of UTF-8 text that starts at a character.
#[inline]
pub(super) fn first(bytes: &[u8]) -> Option<char> {
    let byte = *bytes.first()?;
    if byte.is_ascii() {
        return Some(char::from(byte));
    }
    let piece = bytes.get(..width(bytes))?;
    std::str::from_utf8(piece).ok()?.chars().next()
}

/// Gives the length in bytes of the character a piece of UTF-8 text starts with.
#[inline]
pub(super) fn width(bytes: &[u8]) -> usize {
    match bytes.first() {
        None => 0,
        Some(0..0xC0) => 1,
        Some(0xC0..0xE0) => 2,
        Some(0xE0..0xF0) => 3,
        Some(_) => 4,
    }
}
