//! Credentials in base64: what a run of its letters says is looked at as a text of its own.

use super::shape;

/// The fewest letters of a run; a Discord token begins with as many.
const LEAST: usize = 23;

/// The fewest bytes of text that a run has to say; anything is text for a few bytes.
const TEXT_MIN: usize = 16;

/// How many letters are read over the ends of lines: enough for the title of a key and something of it.
const WRAPPED_MAX: usize = 160;

/// Returns the first thing that `find` finds in what the runs of a text say, or a Discord token.
pub(super) fn find(
    text: &str,
    find: impl Fn(&str) -> Option<&'static str>,
) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let mut start = 0;
    // A run is looked for from its end, so that the words of a sentence cost one look each.
    while let Some(window) = bytes.get(start..start + LEAST) {
        if let Some(other) = window.iter().rposition(|byte| !is_letter(*byte)) {
            start += other + 1;
            continue;
        }
        let rest = bytes.get(start..)?;
        let length = rest.iter().take_while(|byte| is_letter(**byte)).count();
        let run = rest.get(..length)?;
        let after = rest.get(length..)?;
        if after.first() == Some(&b'.') && shape::is_dotted_triple(rest) {
            return Some("discord-bot-token");
        }
        let said = said(run.iter());
        let found = said.as_deref().and_then(&find).or_else(|| {
            let is_wrapped = said.is_some() && matches!(after, [b'\n' | b'\r', ..]);
            let lines = rest.iter().filter(|byte| !byte.is_ascii_whitespace());
            is_wrapped
                .then(|| self::said(lines.take(WRAPPED_MAX)))?
                .as_deref()
                .and_then(&find)
        });
        if found.is_some() {
            return found;
        }
        start += length;
    }
    None
}

/// Returns the text with which the decoded bytes begin, if it is long enough to be one.
fn said<'a>(run: impl Iterator<Item = &'a u8>) -> Option<String> {
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let text: String = decode(run).take_while(is_text).map(char::from).collect();
    (text.len() >= TEXT_MIN).then_some(text)
}

/// Decodes base64 of either alphabet up to the first byte that is of neither.
pub(super) fn decode<'a>(run: impl Iterator<Item = &'a u8>) -> impl Iterator<Item = u8> {
    let (mut bits, mut count) = (0_u32, 0_u8);
    run.map_while(|byte| six(*byte)).filter_map(move |six| {
        bits = (bits << 6) | u32::from(six);
        count += 6;
        count = count.checked_sub(8).unwrap_or(count);
        (count < 6).then(|| u8::try_from((bits >> count) & 0xFF).unwrap_or_default())
    })
}

/// Returns the number for which a letter of base64 or base64url stands.
const fn six(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn is_letter(byte: u8) -> bool {
    LETTERS.get(usize::from(byte)).is_some_and(|has| *has)
}

/// The letters as a table, since every text is asked about them.
static LETTERS: [bool; 256] = {
    let mut letters = [false; 256];
    let mut byte = u8::MAX;
    while byte > 0 {
        letters[byte as usize] = six(byte).is_some();
        byte -= 1;
    }
    letters
};
