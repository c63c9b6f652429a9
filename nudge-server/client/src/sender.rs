//! Who sends a call, on the way from the process that knows it to the one that owns
//! the store.

use nudge::{Actor, Caller, Context, Repo, Via};
use serde::{Deserialize, Serialize};

use crate::json_text::{ascii_json, extended};
use crate::same::is_same;

/// The longest header: folder, root and repository may each be as long as the longest path, at
/// six bytes of ASCII for each two of their own. A server takes heads of half as much again.
const MAX_HEADER: usize = 44 * 1024;

/// Who sends a call: on whose behalf, which way it came in, from which program, and where
/// that is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sender {
    via: Via,
    actor: Actor,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    /// The agent session, as its host calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Where its process is: folder, root, repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<Context>,
    /// Whether what it sets without a stated place applies only where it is.
    scopes_writes: bool,
    /// The tag of what it knows, where its params follow from that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// Where its agent is from now on, which only a hook knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
}

/// What a caller has to know to say where it is. Where a server knows it otherwise, it answers
/// with this and makes no call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// What the server calls it; empty where there is nothing to know.
    pub tag: String,
    /// The variables that live scopes mention.
    pub env_names: Vec<String>,
    /// Where the caller's agent is, as far as hooks told; the process that serves it does not move.
    pub cwd: Option<String>,
}

impl Default for Sender {
    /// Some program, of which nothing is known.
    fn default() -> Sender {
        Sender {
            via: Via::Http,
            actor: Actor::Program,
            client: None,
            session: None,
            here: None,
            scopes_writes: true,
            known: None,
            moved_to: None,
        }
    }
}

impl Sender {
    /// Whoever comes in this way, and may be anywhere.
    #[must_use]
    pub fn new(via: Via, client: Option<String>) -> Sender {
        let actor = match via {
            Via::Mcp => Actor::Agent,
            Via::Hook => Actor::Hook,
            Via::Cli | Via::Page => Actor::User,
            _ => Actor::Program,
        };
        Sender {
            via,
            actor,
            client,
            ..Sender::default()
        }
    }

    /// A process of ours that speaks for itself and not for a client.
    #[must_use]
    pub fn process() -> Sender {
        Sender::new(Via::Cli, None)
    }

    /// Whether it is a command that the user typed.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.caller().is_typed()
    }

    /// The same way and program, on another's behalf.
    #[must_use]
    pub fn actor(self, actor: Actor) -> Sender {
        Sender { actor, ..self }
    }

    /// Names the agent session.
    #[must_use]
    pub fn session(self, session: Option<String>) -> Sender {
        Sender { session, ..self }
    }

    /// A client of this process, which is where this process is, and whose writes stay
    /// there if the settings say so.
    #[must_use]
    pub fn here(self, scopes_writes: bool) -> Sender {
        Sender {
            here: Some(Context::here()),
            scopes_writes,
            ..self
        }
    }

    /// The caller as the store knows it.
    #[must_use]
    pub fn caller(&self) -> Caller<'_> {
        let caller = Caller::user().actor(self.actor).via(self.via);
        let mut caller = caller.scopes_writes(self.scopes_writes);
        caller.client = self.client.as_deref();
        caller.session = self.session.as_deref();
        let facts = self.here.as_ref().map(Context::facts);
        let repo = facts.and_then(|facts| facts.repos.first());
        caller.repo = repo.map(Repo::as_str);
        caller.places = self.here.as_slice();
        caller
    }

    /// The sender as a line of a request's head, with the key that makes it count.
    #[must_use]
    pub fn header_line(&self, key: Option<&str>) -> String {
        let json = ascii_json(self).map(|json| match key {
            Some(key) => extended(&json, "key", &format!("\"{key}\"")),
            None => json,
        });
        let json = json.filter(|json| json.len() <= MAX_HEADER);
        json.map_or_else(String::new, |json| format!("Nudge-Origin: {json}\r\n"))
    }

    /// The sender that a header says. Who does not show the key in it is some program,
    /// whatever it claims.
    #[must_use]
    pub fn read(header: Option<&[u8]>, key: &str) -> Sender {
        #[derive(Deserialize)]
        struct Shown<'a> {
            key: &'a str,
        }
        let shown = |header: &[u8]| {
            let shown: Shown<'_> = serde_json::from_slice(header).ok()?;
            is_same(shown.key.as_bytes(), key.as_bytes()).then_some(())?;
            serde_json::from_slice(header).ok()
        };
        let header = header.filter(|header| header.len() <= MAX_HEADER);
        header.and_then(shown).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    /// What a PRIMARY takes a sender for who shows a key.
    fn read(sender: &Sender, key: Option<&str>) -> Sender {
        let line = sender.header_line(key);
        assert!(
            line.is_ascii() && line.matches(['\r', '\n']).count() == 2,
            "{line}"
        );
        let json = line.strip_prefix("Nudge-Origin: ").unwrap().trim_end();
        Sender::read(Some(json.as_bytes()), KEY)
    }

    #[test]
    fn a_header_carries_any_sender_that_a_store_takes() {
        let mut long = Sender::new(Via::Mcp, Some("é".repeat(64)));
        let path = format!("/{}", "é".repeat(2047));
        let here = Context::new()
            .cwd(&path)
            .root(&path)
            .branch("é".repeat(512));
        long.here = Some(here.repo(format!("file:///{}", "é".repeat(500))));
        for sender in [
            Sender::new(Via::Cli, None),
            Sender::new(Via::Cli, None).actor(Actor::Agent),
            Sender::new(Via::Mcp, Some("a\"b\\".to_owned())),
            long.session(Some("é".repeat(64))),
        ] {
            assert_eq!(read(&sender, Some(KEY)), sender);
        }
    }

    #[test]
    fn a_header_that_cannot_be_read_says_nothing() {
        let long = format!(r#"{{"key":"{KEY}","client":"{}"}}"#, "x".repeat(MAX_HEADER));
        let odd = [r#""via":7"#, r#""via":"door""#, r#""actor":"root""#]
            .map(|claim| format!(r#"{{"key":"{KEY}","via":"cli",{claim}}}"#));
        let [via, unknown, actor] = &odd;
        for header in [
            "",
            "cli",
            "{}",
            r#"{"key":7}"#,
            "\u{e9}",
            &long,
            via,
            unknown,
            actor,
        ] {
            let sender = Sender::read(Some(header.as_bytes()), KEY);
            assert_eq!(sender, Sender::default(), "{header}");
        }
        assert_eq!(Sender::read(None, KEY), Sender::default());
    }
}
