//! Who a write comes from, on its way from the process that knows it to the
//! one that owns the store.

use nudge::{Context, Origin};

use crate::wire::json_text::ascii_json;

/// The longest header. All that the store takes of an origin fits in, at three
/// bytes of ASCII for each of its own.
const MAX_HEADER: usize = 2 * 1024;

/// Says through which door a client of this process came, and where it is.
///
/// Only the process that serves a client may say where it is, as with a context.
pub(crate) fn here(via: &str, client: Option<String>) -> Origin {
    let origin = anywhere(via, client);
    match Context::here().facts().repos.first() {
        Some(repo) => origin.repo(repo.as_str()),
        None => origin,
    }
}

/// Says through which door a client came that may be anywhere.
pub(crate) fn anywhere(via: &str, client: Option<String>) -> Origin {
    let origin = Origin::new(via);
    match client {
        Some(client) => origin.client(client),
        None => origin,
    }
}

/// The door by which the programs of models come, which do not speak for the user.
pub(crate) const MCP: &str = "mcp";

/// Whether a call came by that door.
pub(crate) fn is_program(origin: &Origin) -> bool {
    origin.via == MCP
}

/// The origin as a line of a request's head; nothing where there is none.
pub(crate) fn header_line(origin: Option<&Origin>) -> String {
    let json = origin.and_then(ascii_json);
    let json = json.filter(|json| json.len() <= MAX_HEADER);
    json.map_or_else(String::new, |json| format!("Nudge-Origin: {json}\r\n"))
}

/// The origin that a header says; `None` for what cannot be read.
///
/// Who sends it has passed the guard, so it is trusted as far as the user is.
pub(crate) fn read(header: &[u8]) -> Option<Origin> {
    if header.len() > MAX_HEADER {
        return None;
    }
    serde_json::from_slice(header).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_carries_any_origin_that_a_store_takes() {
        let name = "é".repeat(64);
        let long = Origin::new("😀".repeat(8))
            .client(&*name)
            .repo("é".repeat(128));
        for origin in [
            Origin::new("cli"),
            Origin::new("mcp").client("a\"b\\"),
            long,
        ] {
            let line = header_line(Some(&origin));
            assert!(
                line.is_ascii() && line.matches(['\r', '\n']).count() == 2,
                "{line}"
            );
            let json = line.strip_prefix("Nudge-Origin: ").unwrap().trim_end();
            assert_eq!(read(json.as_bytes()), Some(origin));
        }
        assert_eq!(header_line(None), "");
    }

    #[test]
    fn a_header_that_cannot_be_read_says_nothing() {
        let long = format!(r#"{{"via":"{}"}}"#, "x".repeat(MAX_HEADER));
        for header in ["", "cli", "{}", r#"{"via":7}"#, "\u{e9}", &long] {
            assert_eq!(read(header.as_bytes()), None, "{header}");
        }
    }
}
