//! The plain form of a text, in which the rules look: no invisible letters, and full-width forms as ASCII.

use std::borrow::Cow;

use crate::active::is_active;

/// How many bytes are sent away at once if all of them are ASCII.
const CHUNK: usize = 16;

/// Returns the text as a reader sees it; nearly every text is returned as it is.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    let is_kept = |at: usize| {
        let letter = text.get(at..).and_then(|rest| rest.chars().next());
        letter.is_none_or(|letter| plain(letter) == Some(letter))
    };
    let mut chunks = text.as_bytes().chunks(CHUNK).zip((0..).step_by(CHUNK));
    let is_plain = |(chunk, start): (&[u8], usize)| {
        let mut bytes = chunk.iter().zip(start..);
        chunk.is_ascii() || bytes.all(|(byte, at)| byte.is_ascii() || is_kept(at))
    };
    if text.is_ascii() || chunks.all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(plain).collect())
}

/// Returns what a letter stands for; nothing for one that shows nothing.
fn plain(letter: char) -> Option<char> {
    match letter {
        '\0'..='\u{7f}' => Some(letter),
        // The plain form of these forms stands in the same order.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xff01 + 0x21),
        '\u{fe0e}' | '\u{fe0f}' => None,
        _ if letter.is_whitespace() => Some(' '),
        _ if is_active(letter) => None,
        _ => Some(letter),
    }
}
