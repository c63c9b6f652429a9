//! Stored text on a terminal, shown and never obeyed; and text in an address.

use std::borrow::Cow;
use std::fmt::Write;

use nudge::is_active;

/// The text with all that a terminal would act upon spelled out: control
/// characters and escape sequences, marks that turn or hide text, and
/// whatever would start a new line and so could pass for words of ours.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, is_active)
}

/// The same, but for line feeds and tabs: for a value that stands alone.
pub(crate) fn shown_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| {
        is_active(letter) && !matches!(letter, '\n' | '\t')
    })
}

fn escaped(text: &str, is_active: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_active) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        // Writing to a string cannot fail.
        let _ = match letter {
            _ if !is_active(letter) => shown.write_char(letter),
            '\n' => shown.write_str("\\n"),
            '\r' => shown.write_str("\\r"),
            '\t' => shown.write_str("\\t"),
            _ if letter.is_ascii() => write!(shown, "\\x{:02x}", u32::from(letter)),
            _ => write!(shown, "\\u{{{:x}}}", u32::from(letter)),
        };
    }
    Cow::Owned(shown)
}

/// Bytes as a part of an address, in which everything is encoded that may mean something there,
/// but for what stays `plain`.
pub(crate) fn percent_encoded(bytes: &[u8], plain: &str) -> String {
    let mut part = String::with_capacity(bytes.len());
    for byte in bytes {
        let letter = char::from(*byte);
        // Writing to a string cannot fail.
        let _ = match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' => part.write_char(letter),
            _ if plain.contains(letter) => part.write_char(letter),
            _ => write!(part, "%{byte:02X}"),
        };
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_upon_gets_through() {
        for (text, expected) in [
            ("make", "make"),
            ("größe 日本 🦀", "größe 日本 🦀"),
            (r"c:\code", r"c:\code"),
            ("a\nb\r\tc", r"a\nb\r\tc"),
            ("\u{1b}[31mred\u{1b}[0m", r"\x1b[31mred\x1b[0m"),
            ("\u{1b}]0;title\u{7}", r"\x1b]0;title\x07"),
            ("\u{9b}31m", r"\u{9b}31m"),
            ("a\u{7f}\u{8}", r"a\x7f\x08"),
            ("\u{202e}evil\u{2066}", r"\u{202e}evil\u{2066}"),
            ("a\u{2028}b\u{2029}", r"a\u{2028}b\u{2029}"),
            ("a\u{e0041}\u{feff}", r"a\u{e0041}\u{feff}"),
        ] {
            assert_eq!(shown(text), expected);
        }
        assert_eq!(shown_lines("a\n\tb\u{1b}[2J"), "a\n\tb\\x1b[2J");
    }
}
