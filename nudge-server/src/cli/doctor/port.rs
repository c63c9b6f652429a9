//! The port: whether it is answered by the server of this folder.

use std::io::ErrorKind;

use nudge_client::is_ours;

use super::{Finding, PATIENCE};
use crate::deadline::within;

const ABOUT: &str = "port";

/// Looks at the port of the server, or at the one that was asked for. It is the server's if
/// it knows the nonce, which only the PID file tells.
pub(super) fn look(port: u16, nonce: Option<String>, asked_for: bool) -> Finding {
    if port == 0 {
        let words = "no free port; serving on the socket only";
        return Finding::odd(ABOUT, words).fixed_by("nudge restart");
    }
    let words = match within(PATIENCE, move || is_ours(port, nonce.as_deref())) {
        Some(Ok(())) => {
            let words = format!("http://127.0.0.1:{port} answers as this session");
            return Finding::good(ABOUT, words);
        }
        Some(Err(error)) if error.kind() == ErrorKind::ConnectionRefused => {
            format!("nobody answers on port {port} ({error})")
        }
        Some(Err(error)) if error.kind() != ErrorKind::WouldBlock => {
            format!("port {port} is not this session's ({error})")
        }
        _ => format!("port {port} accepts connections but does not respond"),
    };
    // A server that is started again finds a port that is free.
    let fix = ["nudge restart", "nudge status"][usize::from(asked_for)];
    Finding::bad(ABOUT, words).fixed_by(fix)
}
