//! Requests, responses and events on a connection, whoever waits for them: a thread, as
//! in the CLI, or a task, as in a PROXY.

use std::io;
use std::os::fd::AsFd;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::wire::{Response, hung_up, is_stale};

/// The longest line of events: a value, its meta and its scope have their limits, but a
/// server may have been told to take larger ones.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// What is read and written.
pub(in crate::proxy) trait Stream: AsFd {
    /// Writes all of it.
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = io::Result<()>> + Send;

    /// Reads what there is, and says how much that was.
    fn read(&mut self, bytes: &mut Vec<u8>) -> impl Future<Output = io::Result<usize>> + Send;
}

/// Waits for what a stream does that blocks, and so is done whenever it is asked for.
pub(super) fn wait<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}

/// Sends a request and reads the response, which comes with the stream if that stays open.
///
/// A kept stream that the server has closed meanwhile is replaced, as long as the request
/// cannot have reached it whole.
pub(in crate::proxy) async fn exchange<S: Stream>(
    kept: Option<S>,
    connected: impl Future<Output = io::Result<S>>,
    request: &[u8],
) -> io::Result<(Response, Option<S>)> {
    let mut sent = None;
    if let Some(mut stream) = kept.filter(|stream| !is_stale(stream))
        && stream.write(request).await.is_ok()
    {
        sent = Some((stream, Ok(())));
    }
    let (mut stream, written) = if let Some(sent) = sent {
        sent
    } else {
        let mut stream = connected.await?;
        let written = stream.write(request).await;
        (stream, written)
    };
    let mut bytes = Vec::with_capacity(4096);
    loop {
        let read = match read_more(&mut stream, &mut bytes).await {
            Ok(()) => Response::read(&mut bytes),
            Err(error) => Err(error),
        };
        match read {
            Ok(None) => {}
            Ok(Some(response)) => {
                let stays = !response.closes;
                return Ok((response, stays.then_some(stream)));
            }
            // A server that refuses a request because of its size says so and hangs up
            // before it has read it all.
            Err(error) => return Err(written.err().unwrap_or(error)),
        }
    }
}

async fn read_more(stream: &mut impl Stream, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.reserve(4096.max(bytes.len()));
    match stream.read(bytes).await? {
        0 => Err(hung_up()),
        _ => Ok(()),
    }
}

/// One thing that happened.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its number.
    pub(crate) id: u64,
    /// What it says, as the server wrote it.
    pub(crate) data: String,
}

/// What happens in the store, read as it happens.
#[derive(Debug)]
pub(in crate::proxy) struct Events<S> {
    pub(super) stream: S,
    /// What was read and is not a whole line yet.
    bytes: Vec<u8>,
}

impl<S: Stream> Events<S> {
    /// Asks for the events after a number, or from now on, and waits until they
    /// are told: what happens after this is missed no more.
    pub(in crate::proxy) async fn open(
        mut stream: S,
        host: &str,
        after: Option<u64>,
    ) -> io::Result<Events<S>> {
        let after = after.map_or_else(String::new, |id| format!("Last-Event-ID: {id}\r\n"));
        // Without chunks, which HTTP/1.0 does not know: the body is the stream itself.
        let request = format!(
            "GET /events HTTP/1.0\r\nHost: {host}\r\nAccept: text/event-stream\r\n{after}\r\n"
        );
        stream.write(request.as_bytes()).await?;
        let bytes = Vec::new();
        let mut events = Events { stream, bytes };
        let status = events.line().await?;
        if status.split(' ').nth(1) != Some("200") {
            let words = format!("the server does not tell its events: {}", status.trim_end());
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        while !events.line().await?.is_empty() {}
        Ok(events)
    }

    /// Waits for the next event. The end of the stream is an error like any other.
    pub(in crate::proxy) async fn next(&mut self) -> io::Result<Event> {
        let mut event = Event::default();
        loop {
            let line = self.line().await?;
            if let Some(id) = line.strip_prefix("id:") {
                event.id = id.trim().parse().unwrap_or_default();
            } else if let Some(data) = line.strip_prefix("data:") {
                event.data.push_str(data.trim_start());
            } else if line.is_empty() && !event.data.is_empty() {
                return Ok(event);
            }
        }
    }

    /// The next line, without its end.
    async fn line(&mut self) -> io::Result<String> {
        let mut looked_at = 0;
        loop {
            let rest = self.bytes.get(looked_at..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.bytes.drain(..=looked_at + end).collect();
                let line = String::from_utf8_lossy(&line);
                return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
            }
            looked_at = self.bytes.len();
            if looked_at > MAX_LINE {
                return Err(hung_up());
            }
            read_more(&mut self.stream, &mut self.bytes).await?;
        }
    }
}
