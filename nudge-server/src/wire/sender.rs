//! Who sends a call, on the way from the process that knows it to the one that owns
//! the store.

use nudge::{Actor, Caller, Context, Via};
use serde::{Deserialize, Deserializer, Serialize};

use crate::config::ScopeWrites;
use crate::wire::json_text::ascii_json;

/// The longest header. All that the store takes of an origin fits in, at three
/// bytes of ASCII for each of its own.
const MAX_HEADER: usize = 2 * 1024;

/// Who sends a call: which way it came in, from which program, and where that is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender {
    #[serde(alias = "door", deserialize_with = "known")]
    via: Via,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repo: Option<String>,
    /// Whether what it sets without a scope is scoped to the repository.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    scopes_writes: bool,
}

impl Sender {
    /// Somebody who may be anywhere.
    #[must_use]
    pub fn new(via: Via, client: Option<String>) -> Sender {
        Sender {
            via,
            client,
            ..Sender::default()
        }
    }

    /// A client of this process, which is where this process is, and whose writes are
    /// scoped as the settings say.
    pub(crate) fn here(via: Via, client: Option<String>, writes: ScopeWrites) -> Sender {
        let repo = Context::here()
            .facts()
            .repos
            .first()
            .map(|repo| repo.as_str().to_owned());
        Sender {
            via,
            client,
            repo,
            scopes_writes: writes == ScopeWrites::Repo,
        }
    }

    /// The caller as the store knows it.
    #[must_use]
    pub fn caller(&self) -> Caller<'_> {
        let actor = match self.via {
            Via::Mcp => Actor::Agent,
            Via::Hook => Actor::Hook,
            Via::Http => Actor::Program,
            _ => Actor::User,
        };
        let caller = Caller::user().actor(actor).via(self.via);
        let mut caller = caller.scopes_writes(self.scopes_writes);
        caller.client = self.client.as_deref();
        caller.repo = self.repo.as_deref();
        caller
    }

    /// The sender as a line of a request's head.
    pub(crate) fn header_line(&self) -> String {
        let json = ascii_json(self).filter(|json| json.len() <= MAX_HEADER);
        json.map_or_else(String::new, |json| format!("Nudge-Origin: {json}\r\n"))
    }

    /// The sender that a header says; without one that can be read, somebody over HTTP.
    ///
    /// Who sends it has passed the guard, so it is trusted as far as the user is.
    pub(crate) fn read(header: Option<&[u8]>) -> Sender {
        let header = header.filter(|header| header.len() <= MAX_HEADER);
        let sender = header.and_then(|header| serde_json::from_slice(header).ok());
        sender.unwrap_or_else(|| Sender::new(Via::Http, None))
    }
}

/// Reads the way a call came in; one that is not known came over HTTP.
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Via, D::Error> {
    let given = String::deserialize(deserializer)?;
    let mut known = [Via::Cli, Via::Mcp, Via::Page, Via::Hook].into_iter();
    Ok(known.find(|via| via.as_str() == given).unwrap_or(Via::Http))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_carries_any_sender_that_a_store_takes() {
        let mut long = Sender::new(Via::Mcp, Some("é".repeat(64)));
        long.repo = Some("é".repeat(128));
        for sender in [
            Sender::new(Via::Cli, None),
            Sender::new(Via::Mcp, Some("a\"b\\".to_owned())),
            long,
        ] {
            let line = sender.header_line();
            assert!(
                line.is_ascii() && line.matches(['\r', '\n']).count() == 2,
                "{line}"
            );
            let json = line.strip_prefix("Nudge-Origin: ").unwrap().trim_end();
            assert_eq!(Sender::read(Some(json.as_bytes())), sender);
        }
    }

    #[test]
    fn a_header_that_cannot_be_read_says_nothing() {
        let long = format!(r#"{{"via":"cli","client":"{}"}}"#, "x".repeat(MAX_HEADER));
        let http = Sender::new(Via::Http, None);
        for header in [
            "",
            "cli",
            "{}",
            r#"{"via":7}"#,
            r#"{"via":"library"}"#,
            "\u{e9}",
            &long,
        ] {
            assert_eq!(Sender::read(Some(header.as_bytes())), http, "{header}");
        }
        assert_eq!(Sender::read(None), http);
    }
}
