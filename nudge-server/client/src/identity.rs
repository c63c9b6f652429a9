//! `Identity`: who a server is, as it tells others.

use serde::{Deserialize, Serialize};

/// What a server calls itself; another product on our port says something else.
pub const PRODUCT: &str = "nudge";

/// The version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of what processes say to each other; the first number must agree.
pub const PROTOCOL: &str = "1.0";

/// Whether a protocol is ours, as far as it matters.
#[must_use]
pub fn speaks(protocol: &str) -> bool {
    let major = |protocol: &str| protocol.split('.').next().map(str::to_owned);
    major(protocol) == major(PROTOCOL)
}

/// Who a server is: what it writes to its PID file, and what it tells callers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Always [`PRODUCT`].
    pub product: String,
    /// The version of the server.
    pub version: String,
    /// The version of what processes say to each other.
    pub protocol: String,
    /// Its process.
    pub pid: u32,
    /// Its machine, as [`crate::platform::machine_id`] has it; version 0.1 did not say.
    #[serde(default)]
    pub machine: String,
    /// Where it listens on 127.0.0.1; 0 when it does not.
    pub port: u16,
    /// When it started, as RFC 3339 has it.
    pub started: String,
    /// What exports call the session.
    pub session_id: String,
    /// A random word that only who may read the PID file can know.
    pub nonce: String,
}
