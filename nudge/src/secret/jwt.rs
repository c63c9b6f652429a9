//! JSON web tokens: three base64url parts, the first of which decodes to JSON with `alg`.

use super::rule::Alphabet;

/// The beginning of a JSON object in base64url.
const START: &[u8] = b"eyJ";

/// Returns the rule's id when the text has a JSON web token.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..) {
        // Each run of the alphabet is looked at once, so that the work stays linear.
        let skipped = rest
            .iter()
            .take_while(|byte| !Alphabet::Url.has(**byte))
            .count();
        let run = rest.get(skipped..)?;
        let length = run
            .iter()
            .take_while(|byte| Alphabet::Url.has(**byte))
            .count();
        if length == 0 {
            return None;
        }
        let header = run.get(..length)?;
        let begin = header.windows(3).take(3).position(|three| three == START);
        let after = run.get(length..)?;
        if let Some(begin) = begin
            && has_payload(after)
            && is_header(header.get(begin..)?)
        {
            return Some("jwt");
        }
        at += skipped + length;
    }
    None
}

/// Says whether a dot and a further part, then a dot, follow.
fn has_payload(after: &[u8]) -> bool {
    let Some((b'.', rest)) = after.split_first() else {
        return false;
    };
    let length = rest
        .iter()
        .take(8192)
        .take_while(|byte| Alphabet::Url.has(**byte))
        .count();
    length >= 4 && rest.get(length) == Some(&b'.')
}

/// Says whether the part decodes to JSON with the member `alg`.
fn is_header(part: &[u8]) -> bool {
    let json = decode(part);
    json.windows(5).any(|five| five == b"\"alg\"")
}

/// Decodes base64url as far as it goes; a header is short, hence the bound.
fn decode(part: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(part.len().min(1024) * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in part.iter().take(1024) {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => break,
        };
        bits = (bits << 6) | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xFF).unwrap_or_default());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn finds_three_parts_with_an_algorithm() {
        let header = concat!("eyJhbGciOiJI", "UzI1NiJ9");
        assert_eq!(
            find(&format!("x={header}.eyJzdWIiOiIxIn0.c2ln")),
            Some("jwt")
        );
        assert_eq!(find(&format!("{header}.eyJzdWIiOiIxIn0")), None);
        assert_eq!(find("eyJhIjoxfQ.eyJzdWIiOiIxIn0.c2ln"), None);
    }
}
