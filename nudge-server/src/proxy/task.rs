//! How a task connects, waits, and starts a server.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nudge::Error;
use nudge_client::exchange::{SILENCE, Stream};
use nudge_client::platform::is_stale;
use nudge_client::start::{NotStarted, Starter};
use nudge_client::transport::{Place, Transport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use crate::platform::local;

#[derive(Debug, Default)]
pub(super) struct Task {
    /// Whether the system did not let us start a process.
    is_alone: AtomicBool,
}

impl Task {
    /// Whether the system did not let us start a process.
    pub(super) fn is_alone(&self) -> bool {
        self.is_alone.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
pub(super) struct Connected {
    stream: local::Stream,
    head: String,
    peer: Option<u32>,
}

impl Transport for Task {
    type Stream = Connected;

    async fn connect(&self, place: &Place) -> io::Result<Connected> {
        let (stream, head, peer) = local::connect(place).await?;
        Ok(Connected { stream, head, peer })
    }

    async fn pause(&self, pause: Duration) {
        sleep(pause).await;
    }

    async fn start(&self, starter: &Starter) -> Result<(), Error> {
        let how = starter.clone();
        let done = tokio::task::spawn_blocking(move || how.start()).await;
        let done = done.unwrap_or(Ok(()));
        if matches!(done, Err(NotStarted::Refused(_) | NotStarted::NoProgram(_))) {
            self.is_alone.store(true, Ordering::Relaxed);
        }
        Ok(done?)
    }
}

impl Stream for Connected {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    async fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        timeout(SILENCE, self.stream.read_buf(bytes)).await?
    }

    fn peer(&self) -> Option<u32> {
        self.peer
    }

    fn head(&self) -> &str {
        &self.head
    }

    fn is_stale(&self) -> bool {
        is_stale(&self.stream, false)
    }
}
