//! The members of a session as others see them: a process, the client that it
//! serves, and where that client is.

use std::collections::BTreeMap;
use std::fmt;

use nudge::{Actor, Caller, Context, Host};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest name of a client that is kept, in letters.
const LONGEST_NAME: usize = 128;

/// How many agents' places are kept, and how many of one agent.
const KEPT: usize = 256;
const KEPT_OF_ONE: usize = 16;

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
    pub(crate) pid: Option<u32>,
    /// The client that it serves, by name and version.
    client: Option<String>,
    /// The folder where that client is.
    pub(super) cwd: Option<String>,
}

impl fmt::Display for Introduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let client = self.client.as_deref().unwrap_or("no client");
        write!(
            f,
            "process {}, which serves {client:?},",
            self.pid.unwrap_or_default()
        )
    }
}

impl Introduction {
    /// Without what is longer than it can be: it is kept for as long as the process is there.
    pub(super) fn fitting(self) -> Introduction {
        let shortened = |name: String| name.chars().take(LONGEST_NAME).collect();
        Introduction {
            client: self.client.map(shortened),
            cwd: self.cwd.filter(is_fact),
            ..self
        }
    }

    /// The host that it serves, and where that is.
    pub(super) fn served(&self) -> Option<(&'static Host, Context)> {
        let host = self.client.as_deref().and_then(Host::named)?;
        Some((host, Context::at(self.cwd.as_ref()?)))
    }

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

impl Member {
    /// A process that serves a client, as it says itself.
    pub(super) fn proxy(said: Introduction) -> Member {
        Member {
            pid: said.pid.unwrap_or_default(),
            role: "proxy",
            context: said.cwd.map(Context::at),
            client: said.client,
        }
    }
}

/// Whether a folder can be a fact of a context.
fn is_fact(cwd: &String) -> bool {
    Context::new().cwd(cwd).facts().cwd.is_some()
}

/// Where agents have been, by their hosts and sessions, as their hooks told: a place each, the
/// one where they are last.
#[derive(Debug, Default)]
pub(super) struct Folders(Mutex<BTreeMap<(&'static str, String), Vec<Context>>>);

impl Folders {
    /// Remembers what a hook tells, and says where the caller's agent has been.
    pub(super) fn told(&self, by: &Caller<'_>, cwd: Option<String>) -> Vec<Context> {
        let host = by.client.and_then(Host::named);
        let Some((host, session)) = host.zip(by.session) else {
            return Vec::new();
        };
        let agent = (host.id, session.to_owned());
        let cwd = cwd.filter(|cwd| by.actor == Actor::Hook && is_fact(cwd));
        let now = cwd.map(Context::at);
        let mut folders = self.0.lock();
        let mut been = folders.get(&agent).cloned().unwrap_or_default();
        if let Some(now) = now {
            let place = |at: &Context| at.facts().root.clone().or(at.facts().cwd.clone());
            been.retain(|at| place(at) != place(&now));
            been.push(now);
            been.drain(..been.len().saturating_sub(KEPT_OF_ONE));
            // Those that live are told again with their next command.
            if folders.len() >= KEPT {
                folders.clear();
            }
            folders.insert(agent, been.clone());
        }
        been
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_an_agent_is_is_what_its_hook_told_last() {
        let folders = Folders::default();
        let by = |actor| Caller::user().actor(actor);
        let told = |by: Caller<'_>, cwd: &str| -> Vec<String> {
            let been = folders.told(&by, Some(cwd.to_owned())).into_iter();
            been.filter_map(|at| at.facts().cwd.clone()).collect()
        };
        for n in 0..1000 {
            let session = n.to_string();
            told(by(Actor::Hook).client("codex").session(&session), "/a");
        }
        let hook = by(Actor::Hook).client("codex").session("999");
        assert_eq!(told(hook, "/b"), ["/a", "/b"]);
        assert!(folders.0.lock().len() <= KEPT);
        let agent = by(Actor::Agent).client("codex-mcp-client/1");
        // An agent is asked where it is by its hooks alone.
        assert_eq!(told(agent.session("999"), "/c"), ["/a", "/b"]);
        assert_eq!(told(hook, "/a"), ["/b", "/a"]);
        for n in 0..100 {
            assert!(told(hook, &format!("/{n}")).len() <= KEPT_OF_ONE);
        }
        for elsewhere in [
            agent.session("1000"),
            agent,
            agent.client("claude/1").session("999"),
        ] {
            assert_eq!(folders.told(&elsewhere, None), []);
        }
    }
}
