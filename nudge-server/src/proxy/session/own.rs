//! Becoming PRIMARY: bind, serve, and say where.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

use nudge::{Clock, Config, Error, ErrorKind, SystemClock};
use tokio::time::sleep;

use super::post::Post;
use super::{PAUSES, Session};
use crate::config::LogLevel;
use crate::log::log;
use crate::platform::names::Names;
use crate::platform::runtime::{Key, Lock, Runtime};
use crate::primary::Primary;
use crate::primary::journal::{Journal, Recovered};
use crate::primary::sweep;
use crate::proxy::backend::Backend;
use crate::wire::Fault;

/// The port that is tried first when none was asked for.
pub(crate) const PORT: u16 = 8765;

/// How many ports are tried.
const PORTS: u16 = 100;

/// How often the port of the last PRIMARY is tried.
const PORT_LOOKS: u32 = 100;

impl Session {
    /// Serves as PRIMARY until it is asked to stop.
    pub(super) async fn own(
        &self,
        runtime: &Runtime,
        lock: Lock,
        recovery: Recovery,
    ) -> Result<Backend, Fault> {
        let settings = self.settings.clone().unwrap_or_default();
        // The kernel closes the files of a process that dies from the highest down.
        // It takes its time for this one, so the lock and the port come after it.
        let names = Names::of(runtime.folder());
        let failed = |error: io::Error| {
            let words = format!("cannot serve in `{}`: {error}", runtime.folder().display());
            Fault::Core(Error::new(ErrorKind::Unavailable, words))
        };
        let surfaces = self
            .surfaces
            .ok_or_else(|| failed(io::ErrorKind::Unsupported.into()))?;
        // Where the session goes on, so does its address.
        let goes_on = matches!(recovery, Recovery::Session(..));
        let old = runtime.identity().filter(|_| goes_on);
        let listener = again(old.map(|identity| identity.port)).await;
        let listener = listener.or_else(|| listen(settings.port));
        // Not before, or the port would get the low number that this makes free.
        let lock = lock.moved_up().map_err(failed)?;
        let address = listener
            .as_ref()
            .and_then(|listener| listener.local_addr().ok());
        let port = address.map_or(0, |address| address.port());
        // So do its keys; the page's was the last PRIMARY's own.
        let key = runtime.take_key(&lock, Key::Client, goes_on)?;
        let token = runtime.take_key(&lock, Key::Token, goes_on)?;
        let primary = begin(runtime, settings.session.config(), port, recovery, key);
        runtime.forget_page(&lock);
        self.be_member(runtime)?;

        let http = surfaces.http(Arc::clone(&primary), Arc::clone(&token));
        let mut serving = tokio::task::JoinSet::new();
        if let Some(listener) = listener {
            listener.set_nonblocking(true).map_err(failed)?;
            let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
            serving.spawn(http.tcp(listener));
        }
        // Nobody can have left anything in a browser for a port that nobody could foresee.
        if let Ok(listener) = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await {
            serving.spawn(http.page(listener));
        }
        let mut held = Post {
            runtime: runtime.clone(),
            lock,
            primary: Arc::clone(&primary),
            http,
            token,
            session: self.me.clone(),
            serving,
            names,
            socket: None,
        };
        held.open_socket().map_err(failed)?;
        tokio::spawn(sweep::run(Arc::clone(&primary), self.idle_limit));
        held.write_identity();

        let (settled, ended) = (self.settled.clone(), self.ended.clone());
        let ours = Arc::clone(&primary);
        tokio::spawn(async move {
            held.hold().await;
            settled.send_if_modified(|settled| {
                let was_ours = matches!(settled, Some(Backend::Local(primary))
                    if Arc::ptr_eq(primary, &ours));
                if was_ours {
                    *settled = None;
                }
                was_ours
            });
            ended.send_replace(true);
        });
        Ok(Backend::Local(primary))
    }

    /// What the journal of the folder says, if there is a session to go on with.
    ///
    /// One that this version cannot read is left to a member that can; where
    /// there is none, this session is one of its own.
    pub(super) fn recover(&self, runtime: &Runtime) -> Result<Recovery, Fault> {
        let members_live = self.is_member() || !runtime.is_deserted();
        match Journal::recover(runtime.folder(), SystemClock.now()) {
            Ok(Some(found)) => Ok(Recovery::Session(Box::new(found))),
            Ok(None) => Ok(Recovery::Nothing),
            Err(refusal) if members_live => {
                let error = Error::new(ErrorKind::Unavailable, refusal.to_string());
                Err(Fault::Core(error))
            }
            Err(refusal) => {
                log(LogLevel::Warn, &refusal.to_string());
                Ok(Recovery::Unreadable)
            }
        }
    }
}

/// What was found of an earlier session.
pub(super) enum Recovery {
    Session(Box<(Journal, Recovered)>),
    Nothing,
    Unreadable,
}

/// Makes the owner of a store that goes on where the last one was left.
fn begin(
    runtime: &Runtime,
    mut config: Config,
    port: u16,
    recovery: Recovery,
    client_key: Arc<str>,
) -> Arc<Primary> {
    if let Recovery::Session(found) = &recovery {
        config.session_id = Some(found.1.session_id.clone());
    }
    let primary = Primary::with_system_clock(config, port).in_folder(runtime.clone(), client_key);
    let journal = match recovery {
        Recovery::Session(found) => {
            let (journal, recovered) = *found;
            primary.resume(recovered);
            journal
        }
        Recovery::Nothing => {
            let nudge = &primary.nudge;
            let settings = serde_json::Value::Null;
            Journal::begin(
                runtime.folder(),
                nudge.session_id(),
                nudge.created_at(),
                settings,
            )
        }
        Recovery::Unreadable => Journal::in_memory(),
    };
    primary.keep(journal);
    Arc::new(primary)
}

/// Listens where the last PRIMARY of the session did. The kernel gives its lock to
/// us a moment before it closes the port of a process that dies.
async fn again(port: Option<u16>) -> Option<TcpListener> {
    let port = port.filter(|port| *port > 0)?;
    for _ in 0..PORT_LOOKS {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => sleep(PAUSES[0]).await,
            bound => return bound.ok(),
        }
    }
    None
}

/// Listens on 127.0.0.1: on the port that was asked for or the usual one, or on
/// the next that is free. Where none can be had, the socket has to do.
fn listen(asked_for: Option<u16>) -> Option<TcpListener> {
    let first = asked_for.unwrap_or(PORT);
    let last = if first == 0 {
        0
    } else {
        first.saturating_add(PORTS - 1)
    };
    let mut refused = None;
    for port in first..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                if let Some(error) = refused.filter(|_| asked_for.is_some()) {
                    let words =
                        format!("port {first} cannot be had ({error}); listening on {port}");
                    log(LogLevel::Warn, &words);
                }
                return Some(listener);
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    if let Some(error) = refused {
        let words = format!(
            "no port from {first} to {last} can be had ({error}); serving on the socket alone"
        );
        log(LogLevel::Warn, &words);
    }
    None
}
