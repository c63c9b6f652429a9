//! `Link`: what a PROXY speaks to its PRIMARY over, one connection that is kept.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rustix::process::Pid;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::platform::process::{Peer, own_peer};
use crate::platform::runtime::{Key, reachable, read_key};
use crate::primary::operations::Method;
use crate::proxy::client::exchange::{Stream, exchange};
use crate::proxy::client::wire::{self, EnvNames, Gone, PATIENCE};
use crate::proxy::request_id::RequestIds;
use crate::wire::Answer;
use crate::wire::sender::Sender;

/// After how long without an answer the PRIMARY is looked at, again and again.
const SUSPICIOUS: Duration = Duration::from_secs(2);

/// Speaks to the PRIMARY. Calls take turns on its one connection.
#[derive(Debug)]
pub struct Link {
    socket: PathBuf,
    /// The process that answers.
    peer: Peer,
    /// The client key of the session.
    key: Option<String>,
    kept: tokio::sync::Mutex<Option<UnixStream>>,
    env: Mutex<EnvNames>,
    ids: RequestIds,
}

impl Link {
    /// Connects to the socket of a PRIMARY, and only to one of this user.
    pub(super) async fn connect(socket: &Path) -> io::Result<Link> {
        let (stream, peer) = connected(socket).await?;
        Ok(Link {
            socket: socket.to_owned(),
            peer: Peer::new(peer),
            key: read_key(&Key::Client.beside(socket)),
            kept: tokio::sync::Mutex::new(Some(stream)),
            env: Mutex::default(),
            ids: RequestIds::new(),
        })
    }

    /// The variables that live scopes mention, as of the last answer.
    pub(super) fn env_names(&self) -> Arc<[String]> {
        Arc::clone(&self.env.lock().names)
    }

    /// A name for a call, which it keeps when it is repeated.
    pub(super) fn request_id(&self) -> String {
        self.ids.next()
    }

    /// Another connection to the same server.
    ///
    /// One that has come in the place of ours is refused: whether we agree with
    /// it is found out by joining it.
    pub(super) async fn another(&self) -> io::Result<UnixStream> {
        let (stream, peer) = connected(&self.socket).await?;
        if peer == self.peer.pid {
            return Ok(stream);
        }
        Err(io::Error::new(
            io::ErrorKind::ConnectionAborted,
            "another server has taken its place",
        ))
    }

    /// Sends a call.
    pub(super) async fn send(
        &self,
        id: &str,
        sender: &Sender,
        method: Method,
        params: &str,
    ) -> Result<Answer, Gone> {
        let more = sender.header_line(self.key.as_deref());
        let request = wire::request("localhost", &more, id, method.name(), params);
        let mut kept = self.kept.lock().await;
        let mut exchange = pin!(exchange(kept.take(), self.another(), request.as_bytes()));
        let response = timeout(PATIENCE, async {
            loop {
                match timeout(SUSPICIOUS, exchange.as_mut()).await {
                    Ok(response) => return response,
                    // One that was stopped answers nobody, and its successor can.
                    Err(_) => self.peer.end_if_stopped(),
                }
            }
        });
        let response = response.await;
        let response = response.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let (response, stream) = response.map_err(Gone)?;
        *kept = stream;
        drop(kept);
        response.answer(&mut self.env.lock())
    }
}

impl Stream for UnixStream {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes).await
    }

    async fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.read_buf(bytes).await
    }
}

async fn connected(socket: &Path) -> io::Result<(UnixStream, Pid)> {
    let (_folder, short) = reachable(socket)?;
    let stream = timeout(PATIENCE, UnixStream::connect(short)).await??;
    let peer = own_peer(&stream)?;
    Ok((stream, peer))
}
