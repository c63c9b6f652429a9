//! The text of a pattern: its normal form, and what kind of pattern it is.

use super::class;

/// Brings a pattern to its normal form.
///
/// The drive letter is lowered, repeated `/` and `/./` collapse outside classes, and a `/` at the
/// end goes. A pattern that starts with a drive and a backslash is a Windows path, so its
/// backslashes are separators.
pub(super) fn normalise(pattern: &str) -> String {
    let body = pattern.trim_start_matches('!');
    let marks = pattern.len() - body.len();
    let windows = drive(body) && body.as_bytes().get(2) == Some(&b'\\');
    let source = if windows {
        pattern.replace('\\', "/")
    } else {
        pattern.to_owned()
    };

    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    while let Some(character) = source.get(at..).and_then(|rest| rest.chars().next()) {
        let mut end = at + character.len_utf8();
        match character {
            '\\' if source.as_bytes().get(end) == Some(&b'/') => {
                // An escaped separator is a separator, so the backslash says nothing.
                at = end;
                continue;
            }
            '\\' => {
                let escaped = source.get(end..).and_then(|rest| rest.chars().next());
                end += escaped.map_or(0, char::len_utf8);
            }
            '[' => end = class::end(source.as_bytes(), at).map_or(end, |close| close + 1),
            '/' => close_segment(&mut text, marks),
            _ => {}
        }
        text.push_str(source.get(at..end).unwrap_or_default());
        at = end;
    }
    close_segment(&mut text, marks);
    if text.len() == marks && source.len() > marks {
        // The root keeps its slash, also behind the marks of a negation.
        text.push('/');
    }
    if drive(text.get(marks..).unwrap_or_default()) {
        let lower = text
            .get(marks..=marks)
            .unwrap_or_default()
            .to_ascii_lowercase();
        text.replace_range(marks..=marks, &lower);
    }
    text
}

/// Tells whether a normalised pattern, apart from a negation, holds only literals, `?`, `*` and
/// `**`.
pub(super) fn is_plain(text: &str) -> bool {
    let body = text.trim_start_matches('!');
    let group = |pair: &[u8]| matches!(pair, [b'?' | b'*' | b'+' | b'@' | b'!', b'(']);
    !body.is_empty()
        && !is_rooted(body)
        && !is_suffix(body)
        && !body.contains(['{', '[', '\\'])
        && !text.as_bytes().windows(2).any(group)
}

/// Tells whether a normalised pattern, without its negation, is matched from a root on; `.` is that
/// root.
pub(super) fn is_rooted(body: &str) -> bool {
    body == "." || body.starts_with("./")
}

/// Counts the braces and groups that a pattern opens.
pub(super) fn groups(text: &str) -> usize {
    let mut characters = text.chars();
    let mut count = 0;
    while let Some(character) = characters.next() {
        match character {
            '\\' => _ = characters.next(),
            '{' | '(' => count += 1,
            _ => {}
        }
    }
    count
}

/// Escapes what means something in a pattern.
pub(crate) fn escape(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '*' | '?' | '[' | '{' | '(' | '!' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// Tells whether a pattern is `**` and an extension, such as `**.d`, which stands for any path with
/// that end.
pub(super) fn is_suffix(text: &str) -> bool {
    let word = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    text.strip_prefix("**.")
        .is_some_and(|end| end.split('.').all(word))
}

/// Finds where the braces opened at a place close, and whether they hold a list.
///
/// Inside a group a `|` parts the items of a list as a comma does.
pub(super) fn braces(text: &[u8], open: usize, in_group: bool) -> Option<(usize, bool)> {
    let (mut at, mut is_list) = (open + 1, false);
    let mut inner = Vec::new();
    loop {
        let byte = *text.get(at)?;
        let marked = text.get(at - 1).is_some_and(|mark| b"?*+@!".contains(mark));
        match (byte, inner.last()) {
            (b'}', None) => return Some((at, is_list)),
            (b'}', Some(b'{')) | (b')', Some(b'(')) => drop(inner.pop()),
            (b'{', _) => inner.push(byte),
            (b'(', last) if marked || last == Some(&b'(') => inner.push(byte),
            (b',', None) => is_list = true,
            (b'|', None) => is_list |= in_group,
            (b'\\', _) => at += 1,
            (b'[', _) => at = class::end(text, at).unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
}

/// Tells whether the inside of a group holds a separator and a star of its own, outside the groups
/// in it.
pub(super) fn own(inner: &str) -> (bool, bool) {
    let (mut slash, mut star) = (false, false);
    let mut open: Vec<bool> = Vec::new();
    let mut last = 0;
    for byte in inner.bytes() {
        let hidden = open.contains(&true);
        match byte {
            b'(' => open.push(matches!(last, b'?' | b'*' | b'+' | b'!')),
            b')' => drop(open.pop()),
            b'/' => slash |= !hidden,
            b'*' => star |= !hidden,
            _ => {}
        }
        last = byte;
    }
    (slash, star)
}

/// Makes a place or a distance in a pattern small; no pattern is long enough to lose by it.
pub(super) fn short(place: usize) -> u16 {
    u16::try_from(place).unwrap_or(u16::MAX)
}

/// Tells whether a text starts with a drive letter that a separator follows.
fn drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
        || matches!(text.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// Drops what a separator makes needless at the end of the text: a separator before it, or a
/// segment of one dot.
fn close_segment(text: &mut String, marks: usize) {
    if text.ends_with("/.") {
        text.pop();
    }
    if text.len() > marks && text.ends_with('/') {
        text.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_one_normal_form() {
        for (pattern, normal) in [
            ("/", "/"),
            ("//", "/"),
            ("/./", "/"),
            ("/a//b/./c/", "/a/b/c"),
            ("/a/.", "/a"),
            ("/a/.b/", "/a/.b"),
            ("/a/[/]//x", "/a/[/]/x"),
            ("C:/Dev/", "c:/Dev"),
            ("C:\\Dev\\*", "c:/Dev/*"),
            ("!C:/Dev", "!c:/Dev"),
            ("!/", "!/"),
            ("a\\/b", "a/b"),
            ("\\[a\\]", "\\[a\\]"),
            (".//a/", "./a"),
            ("././a", "./a"),
            ("./", "."),
            ("!./.", "!."),
        ] {
            assert_eq!(normalise(pattern), normal, "{pattern}");
        }
    }
}
