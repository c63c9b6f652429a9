//! The port: whether it is answered by the server of this folder.

use std::io;

use nudge_client::{Health, health};

use super::PATIENCE;
use super::finding::Finding;
use super::server::Status;
use crate::cli::shell::{SHELL, Shell};
use crate::deadline::within;
use crate::platform::is_portable;
use crate::primary::PORT;
use crate::wire::identity::{Identity, PRODUCT};

const ABOUT: &str = "port";

/// Who is on a port.
enum Who {
    Nobody(String),
    /// Somebody who says nothing in time.
    Silent,
    OtherProgram,
    Nudge(Health),
}

/// Looks at the port of the server, or at the one that was asked for, and at
/// the usual one, which other products use as well.
pub(super) fn look(
    status: Option<&Status>,
    identity: Option<&Identity>,
    asked_for: Option<u16>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let port = asked_for.or_else(|| status.map(|status| status.port));
    match port {
        Some(0) => {
            let words = "the server has none, for all it tried were taken; its socket serves";
            found.push(Finding::odd(ABOUT, words).fixed_by("nudge serve --port 0"));
        }
        Some(port) => {
            let status = status.filter(|status| status.port == port);
            let session = status.map(|status| status.session_id.as_str());
            found.push(own(port, &who(port), session, identity));
        }
        None => {}
    }
    if port != Some(PORT) {
        found.extend(usual(PORT, &who(PORT)));
    }
    found
}

fn who(port: u16) -> Who {
    match within(PATIENCE, move || health(port)) {
        Some(Ok(Some(health))) if health.product == PRODUCT => Who::Nudge(health),
        Some(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
            Who::Nobody(error.to_string())
        }
        Some(Err(error)) if error.kind() == io::ErrorKind::WouldBlock => Who::Silent,
        None => Who::Silent,
        Some(_) => Who::OtherProgram,
    }
}

/// A port that must be the server's: it knows the session, and the nonce that
/// only its PID file tells.
fn own(port: u16, who: &Who, session: Option<&str>, identity: Option<&Identity>) -> Finding {
    let nonce = identity.map(|identity| identity.nonce.as_str());
    let words = match who {
        Who::Nudge(health)
            if session.is_some()
                && health.session_id.as_deref() == session
                && health.nonce.as_deref() == nonce =>
        {
            let words = format!("http://127.0.0.1:{port} answers as this session");
            return Finding::good(ABOUT, words);
        }
        // It tells its session to nobody whom it does not know, and is not told who we are.
        Who::Nudge(health) if is_portable() && session.is_some() && health.nonce.is_none() => {
            let words = format!("http://127.0.0.1:{port} answers as Nudge; callers show the token");
            return Finding::good(ABOUT, words);
        }
        Who::Nudge(_) => format!("port {port} is a Nudge's, but not that of this folder"),
        Who::OtherProgram => format!("port {port} is another program's, not Nudge's"),
        Who::Silent => format!("port {port} takes calls, but does not answer"),
        Who::Nobody(why) => format!("nobody answers on port {port} ({why})"),
    };
    // A server that is started again finds a port that is free.
    let fix = if session.is_some() {
        "nudge stop"
    } else {
        "nudge serve"
    };
    Finding::bad(ABOUT, words).fixed_by(fix)
}

/// The usual port, where ours is not on it.
fn usual(port: u16, who: &Who) -> Option<Finding> {
    match who {
        Who::Nobody(_) => None,
        // Any program can say so.
        Who::Nudge(_) => {
            let words = "says that it is Nudge, but it is not ours; nothing is sent to it";
            Some(looked_up(port, words))
        }
        Who::OtherProgram => {
            let words = "is another program's, not ours; a server of yours takes the next one";
            Some(looked_up(port, words))
        }
        Who::Silent => Some(looked_up(port, "takes calls, but does not answer")),
    }
}

/// A port of which only the system knows whose it is.
fn looked_up(port: u16, words: &str) -> Finding {
    let finding = Finding::odd(ABOUT, format!("port {port} {words}"));
    finding.fixed_by(match SHELL {
        Shell::PowerShell => format!("Get-NetTCPConnection -LocalPort {port}"),
        Shell::Posix if is_portable() => format!("lsof -nP -iTCP:{port} -sTCP:LISTEN"),
        Shell::Posix => format!("ss -ltnp sport = :{port}"),
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;

    use super::super::finding::State;
    use super::*;

    /// A port on which somebody says something to the first caller.
    fn said(answer: &'static str) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(answer.as_bytes());
        });
        port
    }

    const NUDGE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 53\r\n\r\n\
        {\"product\":\"nudge\",\"session_id\":\"s-1\",\"nonce\":\"abcd\"}";

    fn identity(nonce: &str) -> Identity {
        let json = serde_json::json!({
            "product": "nudge", "version": "1", "protocol": "1.0", "pid": 7, "port": 1,
            "started": "", "session_id": "s-1", "nonce": nonce,
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_port_is_ours_when_it_knows_session_and_nonce() {
        let ask = |session, nonce: &str| {
            let port = said(NUDGE);
            let found = own(port, &who(port), Some(session), Some(&identity(nonce)));
            (found.state, found.words.replace(&port.to_string(), "PORT"))
        };
        let ours = "http://127.0.0.1:PORT answers as this session".to_owned();
        assert_eq!(ask("s-1", "abcd"), (State::Good, ours));
        let others = "port PORT is a Nudge's, but not that of this folder".to_owned();
        assert_eq!(ask("s-2", "abcd"), (State::Bad, others.clone()));
        assert_eq!(ask("s-1", "dcba"), (State::Bad, others));
    }

    #[test]
    fn another_program_is_named_as_not_ours() {
        for answer in [
            "",
            "SSH-2.0-x\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        ] {
            let port = said(answer);
            let found = own(port, &who(port), Some("s-1"), None);
            assert_eq!(found.state, State::Bad, "{answer}");
            assert!(found.words.ends_with("is another program's, not Nudge's"));
            let port = said(answer);
            let found = usual(port, &who(port)).unwrap();
            assert_eq!(found.state, State::Odd, "{answer}");
            assert_eq!(found.fix.unwrap(), format!("ss -ltnp sport = :{port}"));
        }
    }

    #[test]
    fn who_says_nothing_is_not_called_another_program() {
        let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = silent.local_addr().unwrap().port();
        let words = format!("port {port} takes calls, but does not answer");
        let found = own(port, &who(port), Some("s-1"), None);
        assert_eq!((found.state, found.words), (State::Bad, words.clone()));
        let found = usual(port, &Who::Silent).unwrap();
        assert_eq!((found.state, found.words), (State::Odd, words));
    }

    #[test]
    fn a_port_that_nobody_has_is_only_missed_where_ours_should_be() {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        assert_eq!(usual(port, &who(port)), None);
        let found = own(port, &who(port), Some("s-1"), None);
        assert_eq!(found.state, State::Bad);
        assert!(
            found
                .words
                .starts_with(&format!("nobody answers on port {port} ("))
        );
    }

    #[test]
    fn a_program_that_says_it_is_nudge_is_not_vouched_for() {
        let port = said(NUDGE);
        let found = usual(port, &who(port)).unwrap();
        assert_eq!(found.state, State::Odd);
        assert!(found.words.contains("it is not ours"), "{}", found.words);
    }
}
