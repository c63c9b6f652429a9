//! The members of a session as others see them: a process, the client that it
//! serves, and where that client is.

use std::collections::BTreeMap;

use nudge::{Actor, Caller, Context, Host};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest name of a client that is kept, in letters.
const LONGEST_NAME: usize = 128;

/// How many introductions are kept; those of processes that have left go first.
const KEPT: usize = 256;

/// A process that shares the session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Member {
    /// Its number.
    pub pid: u32,
    /// `primary` or `proxy`.
    #[schemars(extend("enum" = ["primary", "proxy"]))]
    pub role: &'static str,
    /// The client that it serves, by name and version; absent when it serves none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Where that client is now: cwd, root, repo, branch and os.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
}

/// How a process introduces itself. What a later version may add is ignored, so
/// that members of several versions meet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Introduction {
    /// The process that joins the session.
    pid: Option<u32>,
    /// The client that it serves, by name and version.
    client: Option<String>,
    /// The folder where that client is.
    pub(super) cwd: Option<String>,
}

impl Introduction {
    /// What this process says of itself and of its client.
    pub(crate) fn here(client: Option<&str>) -> Introduction {
        let cwd = std::env::current_dir().ok();
        Introduction {
            pid: Some(std::process::id()),
            client: client.map(str::to_owned),
            cwd: cwd.and_then(|cwd| cwd.into_os_string().into_string().ok()),
        }
    }
}

/// What members said of themselves, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Introduced(Mutex<BTreeMap<u32, Introduction>>);

impl Introduced {
    /// Remembers how a process introduced itself; one that serves no client has
    /// nothing to say.
    pub(super) fn note(&self, said: Introduction, living: impl FnOnce() -> Vec<u32>) {
        let (Some(pid), Some(client)) = (said.pid, &said.client) else {
            return;
        };
        let client = Some(client.chars().take(LONGEST_NAME).collect());
        let mut introduced = self.0.lock();
        if introduced.len() >= KEPT {
            let living = living();
            introduced.retain(|pid, _| living.contains(pid));
        }
        introduced.insert(pid, Introduction { client, ..said });
    }

    /// A process as a member, with what it said of itself.
    pub(super) fn member(&self, pid: u32, role: &'static str) -> Member {
        let said = self.0.lock().get(&pid).cloned().unwrap_or_default();
        Member {
            pid,
            role,
            context: said.cwd.map(Context::at),
            client: said.client,
        }
    }
}

/// Where agents are, by their hosts and sessions, as their hooks told last.
#[derive(Debug, Default)]
pub(super) struct Folders(Mutex<BTreeMap<(&'static str, String), String>>);

impl Folders {
    /// Remembers what a hook tells, and says where the caller's agent is.
    pub(super) fn told(&self, by: &Caller<'_>, cwd: Option<String>) -> Option<String> {
        let host = by.client.and_then(Host::named)?.id;
        let agent = (host, by.session?.to_owned());
        let mut folders = self.0.lock();
        if let Some(cwd) = cwd.filter(|_| by.actor == Actor::Hook) {
            // Those that live are told again with their next command.
            if folders.len() >= KEPT {
                folders.clear();
            }
            folders.insert(agent.clone(), cwd);
        }
        folders.get(&agent).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &str) -> Introduction {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_member_is_known_by_what_it_said_last() {
        let introduced = Introduced::default();
        for json in [
            r#"{"pid": 7, "client": "codex/0.1", "cwd": "/"}"#,
            r#"{"pid": 7, "client": "codex/0.2", "cwd": "/", "mood": "from a later version"}"#,
            r#"{"pid": 7}"#,
            r#"{"client": "nobody"}"#,
        ] {
            introduced.note(said(json), Vec::new);
        }
        let member = introduced.member(7, "proxy");
        assert_eq!(member.client.as_deref(), Some("codex/0.2"));
        assert_eq!(member.context, Some(Context::at("/")));
        let silent = introduced.member(8, "primary");
        assert_eq!((silent.client, silent.context), (None, None));
    }

    #[test]
    fn where_an_agent_is_is_what_its_hook_told_last() {
        let folders = Folders::default();
        let by = |actor| Caller::user().actor(actor);
        let told = |by: Caller<'_>, cwd: &str| folders.told(&by, Some(cwd.to_owned()));
        for n in 0..1000 {
            let session = n.to_string();
            told(by(Actor::Hook).client("codex").session(&session), "/a");
        }
        let hook = by(Actor::Hook).client("codex").session("999");
        assert_eq!(told(hook, "/b").as_deref(), Some("/b"));
        assert!(folders.0.lock().len() <= KEPT);
        let agent = by(Actor::Agent).client("codex-mcp-client/1");
        // An agent is asked where it is by its hooks alone.
        assert_eq!(told(agent.session("999"), "/c").as_deref(), Some("/b"));
        for elsewhere in [
            agent.session("1000"),
            agent,
            agent.client("claude/1").session("999"),
        ] {
            assert_eq!(folders.told(&elsewhere, None), None);
        }
    }

    #[test]
    fn those_who_have_left_make_room() {
        let introduced = Introduced::default();
        for pid in 0..1000 {
            let json = format!(r#"{{"pid": {pid}, "client": "{}"}}"#, "x".repeat(300));
            introduced.note(said(&json), || vec![0]);
        }
        assert!(introduced.0.lock().len() <= KEPT);
        let first = introduced.member(0, "primary").client;
        assert_eq!(first, Some("x".repeat(LONGEST_NAME)));
    }
}
