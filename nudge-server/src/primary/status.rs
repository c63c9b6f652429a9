//! What a server says of itself.

use std::sync::Arc;

use nudge::{Limits, Stats};
use serde::{Deserialize, Serialize};

use super::Primary;
use super::member::{Introduction, Member};

/// Asks how the server is doing.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Status {}

/// Asks the server to end.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {}

/// Asks for the OpenRPC document.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Discover {}

/// Who the server is, and which variables a caller may want to state.
#[derive(Debug, Serialize)]
pub(crate) struct Greeting {
    product: String,
    version: String,
    protocol: String,
    session_id: String,
    role: &'static str,
    env_names: Arc<[String]>,
}

/// How the server is doing.
#[derive(Debug, Serialize)]
pub(super) struct ServerStatus {
    product: String,
    version: String,
    protocol: String,
    role: &'static str,
    pid: u32,
    port: u16,
    url: String,
    started: String,
    session_id: String,
    members: Vec<Member>,
    stats: Stats,
    limits: Limits,
    last_change: u64,
}

/// The server is ending.
#[derive(Debug, Serialize)]
pub(super) struct Stopped {
    stopped: bool,
}

impl Primary {
    pub(super) fn greet(&self, said: Introduction) -> Greeting {
        self.meet(said);
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

    pub(super) fn status(&self) -> ServerStatus {
        let identity = &self.identity;
        ServerStatus {
            product: identity.product.clone(),
            version: identity.version.clone(),
            protocol: identity.protocol.clone(),
            role: "primary",
            pid: identity.pid,
            port: identity.port,
            url: format!("http://127.0.0.1:{}", identity.port),
            started: identity.started.clone(),
            session_id: identity.session_id.clone(),
            members: self.members(),
            stats: self.nudge.stats(),
            limits: self.nudge.config().limits.clone(),
            last_change: self.nudge.last_change(),
        }
    }

    pub(super) fn end(&self) -> Stopped {
        self.end_session();
        Stopped { stopped: true }
    }
}
