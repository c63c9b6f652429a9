//! Asking a port who is there, before it is told anything.

use std::future::ready;
use std::io;

use serde::Deserialize;

use super::connection::Connection;
use super::exchange::{exchange, wait};

/// What a server says of itself. Another user is told the product alone.
#[derive(Debug, Deserialize)]
pub(crate) struct Health {
    /// What it is.
    pub(crate) product: String,
    /// Its session.
    #[serde(default)]
    pub(crate) session_id: Option<String>,
    /// The word of its PID file.
    #[serde(default)]
    pub(crate) nonce: Option<String>,
}

/// Who answers on a port; `None` for one that does not speak of its health as
/// Nudge does.
pub(crate) fn health(port: u16) -> io::Result<Option<Health>> {
    asked(port).map(|(_, health)| health)
}

/// The same, with the connection that it was asked on, if that stays.
pub(super) fn asked(port: u16) -> io::Result<(Option<Connection>, Option<Health>)> {
    let request = format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let connected = ready(Connection::tcp(port));
    let (response, connection) = wait(exchange(None, connected, request.as_bytes()))?;
    Ok((connection, serde_json::from_slice(&response.body).ok()))
}
