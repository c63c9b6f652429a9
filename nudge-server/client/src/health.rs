//! Asking a port who is there, before it is told anything.

use std::io;

use serde::Deserialize;

use crate::connection::Connection;
use crate::exchange::{exchange, wait};
use crate::http;
use crate::identity::PRODUCT;

/// What a server says of itself. Another user is told the product alone.
#[derive(Debug, Deserialize)]
pub struct Health {
    /// What it is.
    pub product: String,
    /// Its session.
    #[serde(default)]
    pub session_id: Option<String>,
    /// The word of its PID file.
    #[serde(default)]
    pub nonce: Option<String>,
}

/// Who answers on a port; `None` for one that does not speak of its health as
/// Nudge does.
pub fn health(port: u16) -> io::Result<Option<Health>> {
    asked(port).map(|(_, health)| health)
}

/// A connection to the server on a port whose nonce we know.
pub(crate) fn ours(port: u16, nonce: Option<&str>) -> io::Result<Connection> {
    let (connection, health) = asked(port)?;
    let words = match health.filter(|health| health.product == PRODUCT) {
        None => format!("port {port} is another product's"),
        Some(health) if nonce.is_none() || health.nonce.as_deref() != nonce => {
            format!("port {port} is another server's than the one of the session folder")
        }
        Some(_) => return connection.ok_or_else(http::hung_up),
    };
    let words = format!("{words}; see `nudge status` for the port of yours");
    Err(io::Error::new(io::ErrorKind::InvalidData, words))
}

/// What is said on a port, with the connection that it was asked on, if that stays.
fn asked(port: u16) -> io::Result<(Option<Connection>, Option<Health>)> {
    let request = http::health(&format!("127.0.0.1:{port}"));
    let connection = Connection::tcp(port)?;
    let (response, connection) = wait(exchange(connection, request.as_bytes()))?;
    Ok((connection, serde_json::from_slice(&response.body).ok()))
}
