//! Reading an event from stdin.

use std::io::{self, Read};

use serde_json::Value;

/// The most bytes of an event. A host sends what a command printed along.
const MAX: u64 = 32 * 1024 * 1024;

/// Reads an event to its end. The error says what is wrong with it and nothing
/// of what it says.
pub(crate) fn read(mut input: impl Read) -> Result<Value, String> {
    let failed = |error: io::Error| format!("the event cannot be read: {error}");
    let mut bytes = Vec::new();
    input
        .by_ref()
        .take(MAX)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    // A host that cannot write its event to the end takes that for a fault.
    let rest = io::copy(&mut input, &mut io::sink()).map_err(failed)?;
    if rest > 0 {
        return Err(format!(
            "the event is longer than {} MiB",
            MAX / 1024 / 1024
        ));
    }
    if bytes.trim_ascii().is_empty() {
        return Err("there is no event on stdin".to_owned());
    }
    // Of text that is no UTF-8 the rest is good enough: it is what some command printed.
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let read = serde_json::from_str(text);
    let read = read.or_else(|_| serde_json::from_str(&without_half_pairs(text)));
    read.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!("the event is not JSON at line {line}, column {column}")
    })
}

/// JSON in which each half of a surrogate pair that stands alone is U+FFFD. JavaScript cuts
/// text between the two and writes what is left, which no other reader takes.
fn without_half_pairs(json: &str) -> String {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut text = String::with_capacity(json.len());
    let mut done = 0;
    while let Some(at) = json[done..].find('\\').map(|next| done + next) {
        text.push_str(&json[done..at]);
        let (shown, length) = match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (None, 12),
            (Some(0xd800..=0xdfff), _) => (Some("\\ufffd"), 6),
            _ => (None, 2),
        };
        done = json.ceil_char_boundary(at + length);
        text.push_str(shown.unwrap_or(&json[at..done]));
    }
    text + &json[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_is_too_long_is_read_to_its_end() {
        let mut event = io::repeat(b' ').take(MAX + 1);
        assert_eq!(
            read(&mut event).unwrap_err(),
            "the event is longer than 32 MiB"
        );
        assert_eq!(event.limit(), 0);
    }

    #[test]
    fn half_of_a_surrogate_pair_loses_itself_only() {
        for (written, read_as) in [
            (r"a\ud800", "a\u{fffd}"),
            (r"\udc00\ud83d\ude00\ud83d", "\u{fffd}😀\u{fffd}"),
            (r"\ud800\ud83d\ude00é", "\u{fffd}😀é"),
            (r"\\ud800 \ud800\\é", "\\ud800 \u{fffd}\\é"),
            (r"\uD83D\n", "\u{fffd}\n"),
        ] {
            let event = format!(r#"{{"out": "{written}", "command": "make"}}"#);
            let event = read(event.as_bytes()).unwrap();
            assert_eq!(event["out"], read_as);
            assert_eq!(event["command"], "make");
        }
        assert!(read(br#"{"a": "\ud800\"#.as_slice()).is_err());
        assert!(read("{\"a\": \"\\ud8é\"}".as_bytes()).is_err());
    }

    #[test]
    fn what_a_command_printed_need_not_be_text() {
        let event = read(&b"\xef\xbb\xbf{\"out\": \"\xff\"}"[..]).unwrap();
        assert_eq!(event["out"], "\u{fffd}");
    }
}
