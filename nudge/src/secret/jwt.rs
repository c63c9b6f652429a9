//! JSON web tokens: base64url parts, three or, when encrypted, five, of which the first decodes to JSON with `alg`.

use super::encoded::decode;
use super::rule::Alphabet;

/// The beginnings of a JSON object in base64url, with a space or a line's end behind its brace or without.
const STARTS: [&[u8]; 4] = [b"eyJ", b"eyA", b"ewo", b"ew0"];

/// How many letters of a header are decoded.
const HEADER_MAX: usize = 1024;

/// Returns the rule's id when the text has a JSON web token.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..) {
        // Each run of the alphabet is looked at once, so that the work stays linear.
        let is_letter = |byte: &u8| Alphabet::Url.has(*byte);
        let skipped = rest.iter().position(is_letter)?;
        let run = rest.get(skipped..)?;
        let length = Alphabet::Url.run(run.iter());
        let header = run.get(..length)?;
        let begin = header
            .windows(3)
            .take(3)
            .position(|three| STARTS.contains(&three));
        let after = run.get(length..)?;
        if let Some(begin) = begin
            && let Some(is_direct) = has_payload(after)
            && is_header(header.get(begin..)?, is_direct)
        {
            return Some("jwt");
        }
        at += skipped + length;
    }
    None
}

/// Says that a further part between dots follows, and whether it is empty: an encrypted token may be without a key.
fn has_payload(after: &[u8]) -> Option<bool> {
    let (b'.', rest) = after.split_first()? else {
        return None;
    };
    let length = Alphabet::Url.run(rest.iter().take(8192));
    let is_part = (length == 0 || length >= 4) && rest.get(length) == Some(&b'.');
    let is_followed = rest
        .get(length + 1)
        .is_some_and(|byte| Alphabet::Url.has(*byte));
    (is_part && (length > 0 || is_followed)).then_some(length == 0)
}

/// Says whether the part decodes to JSON with the member `alg`, and with `enc` if it has to be of an encrypted token.
fn is_header(part: &[u8], is_encrypted: bool) -> bool {
    let json: Vec<u8> = decode(part.iter().take(HEADER_MAX)).collect();
    let has = |member: &[u8]| json.windows(member.len()).any(|some| some == member);
    has(b"\"alg\"") && (!is_encrypted || has(b"\"enc\""))
}
