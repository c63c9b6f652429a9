//! Becoming PRIMARY: bind, serve, and say where.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

use nudge::{Error, ErrorKind};
use tokio::time::timeout;

use super::{GRACE, Session};
use crate::config::LogLevel;
use crate::door::rpc::Fault;
use crate::door::{http, mcp};
use crate::session::backend::Backend;
use crate::session::log::log;
use crate::session::primary::Primary;
use crate::session::runtime::{Lock, Runtime};
use crate::session::sweep;

/// The port that is tried first when none was asked for.
const PORT: u16 = 8765;

/// How many ports are tried.
const PORTS: u16 = 100;

impl Session {
    /// Serves as PRIMARY until it is asked to stop, then removes its names and
    /// lets go of the lock, in this order.
    pub(super) fn own(&self, runtime: Runtime, lock: Lock) -> Result<Backend, Fault> {
        let settings = self.settings.clone().unwrap_or_default();
        let failed = |error: io::Error| {
            let words = format!("cannot serve in `{}`: {error}", runtime.folder().display());
            Fault::Core(Error::new(ErrorKind::Unavailable, words))
        };
        let listener = listen(settings.port);
        let address = listener
            .as_ref()
            .and_then(|listener| listener.local_addr().ok());
        let port = address.map_or(0, |address| address.port());
        let primary = Primary::with_system_clock(settings.store, port);
        let primary = Arc::new(primary.in_folder(runtime.clone()));
        let token: Arc<str> = runtime.token()?.into();

        let mut serving = tokio::task::JoinSet::new();
        let mcp = mcp::router(Session::local(Arc::clone(&primary)));
        if let Some(listener) = listener {
            listener.set_nonblocking(true).map_err(failed)?;
            let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
            serving.spawn(http::serve_tcp(
                listener,
                Arc::clone(&primary),
                mcp.clone(),
                token,
            ));
        }
        let socket = runtime.bind(&lock).map_err(failed)?;
        socket.set_nonblocking(true).map_err(failed)?;
        let socket = tokio::net::UnixListener::from_std(socket).map_err(failed)?;
        serving.spawn(http::serve_unix(socket, Arc::clone(&primary), mcp));
        tokio::spawn(sweep::run(Arc::clone(&primary), self.idle_limit));
        if let Err(error) = runtime.write_identity(&lock, &primary.identity) {
            log(
                LogLevel::Warn,
                &format!("the PID file was not written: {error}"),
            );
        }

        let (settled, ended) = (self.settled.clone(), self.ended.clone());
        let mut stopped = primary.stopped();
        tokio::spawn(async move {
            // The sender is in the PRIMARY, which `settled` keeps.
            let _ = stopped.wait_for(|stopped| *stopped).await;
            let _ = timeout(GRACE, async {
                while serving.join_next().await.is_some() {}
            })
            .await;
            drop(serving);
            runtime.forget(&lock);
            drop(lock);
            settled.send_replace(None);
            ended.send_replace(true);
        });
        Ok(Backend::Local(primary))
    }
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
