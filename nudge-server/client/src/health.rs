//! Asking a port who is there, before it is told anything.

use std::io;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::connection::Connection;
use crate::exchange::{Stream, exchange, wait};
use crate::http;
use crate::identity::PRODUCT;
use crate::random;

/// The header in which a server is asked to show that it knows its nonce.
pub const CHALLENGE: &str = "nudge-challenge";

/// What a server says of itself. Another user is told the product alone.
#[derive(Debug, Deserialize)]
struct Health {
    product: String,
    /// The word of its PID file.
    #[serde(default)]
    nonce: Option<String>,
    /// What shows that it knows the nonce, to whom it does not tell it.
    #[serde(default)]
    proof: Option<String>,
}

/// What only who knows the nonce can answer to a challenge. Whoever hears it learns nothing
/// that would help to pass for the server once that is gone.
#[must_use]
pub fn proof(nonce: &str, challenge: &str) -> String {
    sha256(&[challenge, nonce].concat())
}

/// The SHA-256 of a text, in hex.
#[must_use]
pub fn sha256(text: &str) -> String {
    let bytes = Sha256::digest(text).into_iter();
    let digits = bytes.flat_map(|byte| [byte >> 4, byte & 15].map(u32::from));
    digits
        .filter_map(|digit| char::from_digit(digit, 16))
        .collect()
}

/// Whether the server on a port is the one whose nonce we know; the error says who is there.
pub fn is_ours(port: u16, nonce: Option<&str>) -> io::Result<()> {
    ours(port, nonce).map(drop)
}

/// A connection to the server on a port whose nonce we know.
pub(crate) fn ours(port: u16, nonce: Option<&str>) -> io::Result<Connection> {
    let challenge = random::nonce();
    let (connection, health) = asked(port, &challenge)?;
    let knows = |health: &Health, nonce: &str| {
        health.nonce.as_deref() == Some(nonce) || health.proof == Some(proof(nonce, &challenge))
    };
    let words = match health.filter(|health| health.product == PRODUCT) {
        None => format!("port {port} is another product's"),
        Some(health) if !nonce.is_some_and(|nonce| knows(&health, nonce)) => {
            format!("port {port} is another server's than the one of the session folder")
        }
        Some(_) => return connection.ok_or_else(http::hung_up),
    };
    let words = format!("{words}; see `nudge status` for the port of yours");
    Err(io::Error::new(io::ErrorKind::InvalidData, words))
}

/// What is said on a port, with the connection that it was asked on, if that stays.
fn asked(port: u16, challenge: &str) -> io::Result<(Option<Connection>, Option<Health>)> {
    let connection = Connection::tcp(port)?;
    let challenge = format!("{CHALLENGE}: {challenge}\r\n");
    let request = http::health(&[connection.head(), &challenge].concat());
    let (response, connection) = wait(exchange(connection, request.as_bytes()))?;
    Ok((connection, serde_json::from_slice(&response.body).ok()))
}
