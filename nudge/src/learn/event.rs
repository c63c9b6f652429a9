//! `Event` and `Reaction`: what a host's hook tells, and what it is told.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::api::answer::Ranked;
use crate::api::caller::{Actor, Caller, Via};
use crate::model::os::Os;
use crate::scope::context::Context;

/// How much of a command's output is looked at, from its end.
const OUTPUT: usize = 4 * 1024;

/// What happened in a host, as its hook tells it.
///
/// Only `event` is needed. What is not known, or is of another type than
/// expected, counts as not told: a hook of another version must never fail.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Event {
    #[serde(rename = "event")]
    what: String,
    #[serde(default, deserialize_with = "lenient")]
    host: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    session: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    reason: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    command: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    ok: Option<bool>,
    #[serde(default, deserialize_with = "lenient")]
    exit_code: Option<i64>,
    #[serde(default, deserialize_with = "lenient")]
    output: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    budget: Option<u32>,
    #[serde(default, deserialize_with = "context")]
    context: Context,
}

/// The events that something follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    SessionStart,
    BeforeCommand,
    AfterCommand,
    SessionEnd,
}

impl Event {
    /// What happened; `None` for what nothing follows from.
    pub(super) fn what(&self) -> Option<What> {
        match &*self.what {
            "session_start" => Some(What::SessionStart),
            "before_command" => Some(What::BeforeCommand),
            "after_command" => Some(What::AfterCommand),
            "session_end" => Some(What::SessionEnd),
            _ => None,
        }
    }

    /// The host, and what it calls its session.
    pub(super) fn client(&self) -> (&str, &str) {
        (
            self.host.as_deref().unwrap_or_default(),
            self.session.as_deref().unwrap_or_default(),
        )
    }

    /// Says where it happened, unless the event does.
    pub fn locate(&mut self, here: &Context) {
        if self.context.is_empty() {
            self.context = here.clone();
        }
    }

    /// Who tells it: the hook of the host, in a repository. A request is that of who asked.
    pub(super) fn caller<'a>(&'a self, by: &Caller<'a>, repo: Option<&'a str>) -> Caller<'a> {
        let mut caller = Caller::user().actor(Actor::Hook).via(Via::Hook);
        caller.client = self.host.as_deref().filter(|host| !host.is_empty());
        caller.repo = repo;
        caller.request = by.request;
        caller
    }

    /// The command, if one is told.
    pub(super) fn command(&self) -> Option<&str> {
        self.command.as_deref()
    }

    /// Why a session starts.
    pub(super) fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }

    /// The most tokens that the start of a session may be told in.
    pub(super) fn budget(&self) -> Option<u32> {
        self.budget
    }

    /// Where it happened.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Whether the command worked; `None` when that is not known, and for one
    /// that a signal ended: whoever interrupts a command says nothing about it.
    pub(super) fn worked(&self) -> Option<bool> {
        if matches!(self.exit_code, Some(130 | 137 | 143)) {
            return None;
        }
        self.ok.or(self.exit_code.map(|code| code == 0))
    }

    /// The end of the command's output.
    pub(super) fn output(&self) -> &str {
        let output = self.output.as_deref().unwrap_or_default();
        let start = output.ceil_char_boundary(output.len().saturating_sub(OUTPUT));
        output.get(start..).unwrap_or_default()
    }
}

/// What follows from an event.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Reaction {
    /// What the agent is told; nothing when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What was done besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<Did>,
}

/// Something that was done, with the hint's component and key.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Did {
    /// A hint worked.
    Bumped(String),
    /// A hint failed.
    Failed(String),
    /// A hint waits to be accepted.
    Proposed(String),
    /// The agent is told of a hint.
    Offered(String),
}

/// The names of a hint, as people write them.
pub(super) fn named(hint: &Ranked) -> String {
    format!("{}/{}", hint.component, hint.key)
}

fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let given = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(given).ok())
}

/// Reads each fact for itself, so that one that cannot be read is the only one
/// that is missing.
fn context<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Context, D::Error> {
    let given = Value::deserialize(deserializer)?;
    let text = |name: &str| given.get(name).and_then(Value::as_str);
    let mut context = Context::new();
    if let Some(cwd) = text("cwd") {
        context = context.cwd(cwd);
    }
    if let Some(branch) = text("branch") {
        context = context.branch(branch);
    }
    let os = given.get("os").map(Os::deserialize);
    if let Some(Ok(os)) = os {
        context = context.os(os);
    }
    let repos = match given.get("repo") {
        Some(Value::Array(repos)) => repos.as_slice(),
        Some(repo) => std::slice::from_ref(repo),
        None => &[],
    };
    let repos = repos.iter().filter_map(Value::as_str);
    context = repos.fold(context, Context::repo);
    let env = given.get("env").and_then(Value::as_object);
    let env = env.into_iter().flatten();
    Ok(env.fold(context, |context, (name, value)| match value {
        Value::Null => context.env(name, None),
        Value::String(value) => context.env(name, &**value),
        _ => context,
    }))
}
