//! What a client of MCP is called.

use nudge::is_active;
use rmcp::model::Implementation;

/// The longest name, in bytes, that the store takes.
const LONGEST_NAME: usize = 128;

/// A client's name and version as a name that the store takes.
pub(super) fn name(client: &Implementation) -> Option<String> {
    let mut name = format!("{}/{}", client.name, client.version);
    name.retain(|letter| !is_active(letter));
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    let name = name.trim();
    (!client.name.trim().is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strange_name_of_a_client_cannot_spoil_its_writes() {
        let cut = |client: &str, version: &str| name(&Implementation::new(client, version));
        assert_eq!(cut("a\u{7}b\u{202e}\n", "1").as_deref(), Some("ab/1"));
        assert_eq!(cut(&"é".repeat(200), "1").map(|name| name.len()), Some(128));
        assert_eq!(cut("", "1"), None);
    }
}
