//! What a server says of itself.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use nudge::{Caller, Context, Error, GetStats, Limits, ListProposals, Proposal, Repo, Stats, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::member::Member;
use super::notices::is_told_in;
use super::program::Program;
use super::{Primary, rfc3339};
use crate::config::SessionSettings;
use crate::store::Receipts;
use crate::sync::{State, SyncStatus};
use crate::wire::sender::{Known, Sender};

/// Asks how the server is doing.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Status {
    /// Where the caller is, if what applies there is to be counted.
    #[serde(default)]
    context: Option<Context>,
}

/// Who the server is, and which variables a caller may want to state.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Greeting {
    /// Always `nudge`; another product may sit on the port.
    product: String,
    /// The version of the server.
    version: String,
    /// The version of what processes say to each other; the first number must agree.
    protocol: String,
    session_id: String,
    role: &'static str,
    /// The variables that live scopes mention; a caller may state these in its context.
    env_names: Arc<[String]>,
}

/// How the server is doing.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ServerStatus {
    /// Always `nudge`; another product may sit on the port.
    product: String,
    /// The version of the server.
    version: String,
    /// The version of what processes say to each other; the first number must agree.
    protocol: String,
    role: &'static str,
    pid: u32,
    /// Where it listens on 127.0.0.1; 0 when it does not.
    port: u16,
    url: String,
    #[schemars(extend("format" = "date-time"))]
    started: String,
    session_id: String,
    /// When the session began, which may have been under another server.
    #[schemars(extend("format" = "date-time"))]
    session_began: String,
    /// The processes that share the session.
    members: Vec<Member>,
    stats: Stats,
    /// How many hints would end with the session, as far as the user asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<usize>,
    limits: Limits,
    /// Which program it is, by its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<Program>,
    /// How the session is set up.
    settings: SessionSettings,
    /// Whether hints are there that are not written down, so that they end with the server.
    holds_secrets: bool,
    /// What is wrong, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// How many hints apply where the caller is, of a call that says where that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<usize>,
    /// How many proposals wait for the user, in the repository of a call that says where it is.
    proposals: usize,
    /// How this machine is in step with others, where the user shares what is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    sync: Option<SyncStatus>,
    /// What hooks told agents today, in the time zone of the server, and what came of it.
    receipts: Receipts,
    /// The number of the latest change; `GET /events` goes on from there.
    last_change: u64,
}

impl Primary {
    /// Greets whoever says hello.
    pub(super) fn greet(&self) -> Greeting {
        let identity = &self.identity;
        Greeting {
            product: identity.product.clone(),
            version: identity.version.clone(),
            protocol: identity.protocol.clone(),
            session_id: identity.session_id.clone(),
            role: "primary",
            env_names: self.env_names(),
        }
    }

    /// What a caller has to know to say where it is.
    pub(crate) fn known(&self, by: &Caller<'_>) -> Known {
        let env_names = self.env_names().to_vec();
        let at = (by.via == Via::Mcp).then(|| self.folders.told(by, None).pop());
        let cwd = at.flatten().and_then(|at| at.facts().cwd.clone());
        let mut hasher = DefaultHasher::new();
        (&env_names, &cwd).hash(&mut hasher);
        let is_any = !env_names.is_empty() || cwd.is_some();
        let tag = is_any.then(|| hasher.finish().to_string());
        let tag = tag.unwrap_or_default();
        Known {
            tag,
            env_names,
            cwd,
        }
    }

    /// Hears where a sender's agent is, and says what the sender has to know where that is not
    /// what it knows.
    pub(crate) fn heard_from(&self, sender: &Sender) -> Option<Known> {
        let by = sender.caller();
        if let Some(folder) = &sender.moved_to {
            self.folders.told(&by, Some(folder.clone()));
        }
        let known = sender.known.as_ref()?;
        Some(self.known(&by)).filter(|now| now.tag != *known)
    }

    pub(super) fn status(&self, by: &Caller<'_>, asked: Status) -> Result<ServerStatus, Error> {
        let identity = &self.identity;
        let waiting = self.nudge.ask(by, ListProposals::default())?.proposals;
        let here = asked.context.as_ref().or(by.places.first());
        let here = here.map(|here| here.facts().repos.first().map(Repo::as_str));
        let is_here = |one: &&Proposal| here.is_none_or(|here| is_told_in(one, here));
        let proposals = waiting.iter().filter(is_here).count();
        let mut warnings = self.warnings();
        // At a terminal the user is told of alarms once, the page shows them.
        if by.via == Via::Page {
            warnings.extend(self.notices.alarms());
        }
        let memory = self.memory().filter(|_| by.is_user());
        let sync = memory.and_then(|it| State::load(&it.file().folder).status());
        let mut members = self.members();
        for member in &mut members {
            member.context.take_if(|at| !by.is_at(at));
        }
        Ok(ServerStatus {
            product: identity.product.clone(),
            version: identity.version.clone(),
            protocol: identity.protocol.clone(),
            role: "primary",
            pid: identity.pid,
            port: identity.port,
            url: format!("http://127.0.0.1:{}", identity.port),
            started: identity.started.clone(),
            session_id: identity.session_id.clone(),
            session_began: rfc3339(self.nudge.created_at()),
            members,
            stats: self.nudge.ask(by, GetStats {})?,
            ending: by.is_user().then(|| self.nudge.ending(by).ended),
            limits: self.nudge.config().limits.clone(),
            program: self.program.clone(),
            settings: self.settings.clone(),
            holds_secrets: self.nudge.holds_secrets(),
            warnings,
            here: asked.context.map(|at| self.nudge.count_here(by, &at)),
            proposals,
            sync,
            receipts: self.receipts(),
            last_change: self.nudge.last_change(),
        })
    }
}
