//! Requests, responses and events on a connection, whoever waits for them: a thread, as
//! in the CLI, or a task, as in a PROXY.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::Duration;

use crate::http::{Response, hung_up};

/// The longest line of events: a value, its meta and its scope have their limits, but a
/// server may have been told to take larger ones.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// How long nothing may come before the server is looked at: twice that is less than two
/// seconds.
pub const SILENCE: Duration = Duration::from_millis(900);

/// What is read and written.
pub trait Stream {
    /// Writes all of it.
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = io::Result<()>> + Send;

    /// Reads what there is, and says how much that was. Where nothing comes for [`SILENCE`]
    /// it has timed out, and may be asked again.
    fn read(&mut self, bytes: &mut Vec<u8>) -> impl Future<Output = io::Result<usize>> + Send;

    /// The process at the other end, where the kernel tells.
    fn peer(&self) -> Option<u32>;

    /// The lines that every request begins with: whom it is for, and why we may ask.
    fn head(&self) -> &str;

    /// Whether the server hung up, or said something unasked, since the last response.
    fn is_stale(&self) -> bool;
}

/// Waits for what a stream does that blocks its thread.
pub fn wait<T>(work: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(thread::current())).into();
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            // Another thread has its turn.
            Poll::Pending => thread::park(),
        }
    }
}

/// A request that was sent, and what has come of its response.
pub(crate) struct Exchange<S> {
    stream: S,
    written: io::Result<()>,
    bytes: Vec<u8>,
}

impl<S: Stream> Exchange<S> {
    pub(crate) async fn begin(mut stream: S, request: &[u8]) -> Exchange<S> {
        Exchange {
            written: stream.write(request).await,
            bytes: Vec::with_capacity(4096),
            stream,
        }
    }

    /// Waits for the response; after a silence it may be waited for again.
    pub(crate) async fn response(&mut self) -> io::Result<Response> {
        loop {
            let read = match read_more(&mut self.stream, &mut self.bytes).await {
                Ok(()) => Response::read(&mut self.bytes),
                Err(error) => Err(error),
            };
            match read {
                Ok(None) => {}
                Ok(Some(response)) => return Ok(response),
                // A server that refuses a request because of its size says so and hangs up
                // before it has read it all.
                Err(error) => {
                    let written = std::mem::replace(&mut self.written, Ok(()));
                    return Err(written.err().unwrap_or(error));
                }
            }
        }
    }

    /// The stream after a response, if it stays open.
    pub(crate) fn kept(self, response: &Response) -> Option<S> {
        (!response.closes).then_some(self.stream)
    }
}

/// Sends a request and reads the response, which comes with the stream if that stays open.
pub(crate) async fn exchange<S: Stream>(
    stream: S,
    request: &[u8],
) -> io::Result<(Response, Option<S>)> {
    let mut exchange = Exchange::begin(stream, request).await;
    let response = exchange.response().await?;
    let stream = exchange.kept(&response);
    Ok((response, stream))
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
pub struct Event {
    /// Its number.
    pub id: u64,
    /// What it says, as the server wrote it.
    pub data: String,
}

/// What happens in the store, read as it happens.
#[derive(Debug)]
pub struct Events<S> {
    pub(crate) stream: S,
    /// What was read and is not a whole line yet.
    bytes: Vec<u8>,
    /// What was read of the next event.
    event: Event,
}

impl<S: Stream> Events<S> {
    /// Asks for the events after a number, or from now on, as whom a line of the head says, and
    /// waits until they are told: what happens after this is missed no more.
    pub async fn open(mut stream: S, who: &str, after: Option<u64>) -> io::Result<Events<S>> {
        let after = after.map_or_else(String::new, |id| format!("Last-Event-ID: {id}\r\n"));
        // Without chunks, which HTTP/1.0 does not know: the body is the stream itself.
        let request = format!(
            "GET /events HTTP/1.0\r\n{}{who}Accept: text/event-stream\r\n{after}\r\n",
            stream.head()
        );
        stream.write(request.as_bytes()).await?;
        let mut events = Events {
            stream,
            bytes: Vec::new(),
            event: Event::default(),
        };
        let status = events.line().await?;
        if status.split(' ').nth(1) != Some("200") {
            let words = format!("the server does not tell its events: {}", status.trim_end());
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        while !events.line().await?.is_empty() {}
        Ok(events)
    }

    /// Waits for the next event. The end of the stream is an error like any other.
    pub async fn next(&mut self) -> io::Result<Event> {
        loop {
            let line = self.line().await?;
            if let Some(id) = line.strip_prefix("id:") {
                self.event.id = id.trim().parse().unwrap_or_default();
            } else if let Some(data) = line.strip_prefix("data:") {
                self.event.data.push_str(data.trim_start());
            } else if line.is_empty() && !self.event.data.is_empty() {
                return Ok(std::mem::take(&mut self.event));
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
