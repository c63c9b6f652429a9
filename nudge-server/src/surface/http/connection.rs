//! The stream of one connection: it says when something moves, and closes what hyper answers.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::connection_limit::Activity;

/// What no page of another origin may do with an answer: take it for something else,
/// or hold it.
pub(super) const CLOSED: [(&str, &str); 2] = [
    ("x-content-type-options", "nosniff"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The answer that hyper itself gives to what it cannot read, with what all of ours
/// say; hyper asks nobody about it.
fn closed(answer: &[u8]) -> Option<Vec<u8>> {
    if !answer.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let (status, rest) = std::str::from_utf8(answer).ok()?.split_once("\r\n")?;
    let headers = CLOSED.map(|(name, value)| format!("{name}: {value}\r\n"));
    let is_closed = rest.contains(&headers[0]);
    (!is_closed).then(|| format!("{status}\r\n{}{rest}", headers.concat()).into_bytes())
}

/// A stream of which others know when something moves.
pub(super) struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S> Watched<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>) -> Watched<S> {
        Watched { stream, activity }
    }

    /// The same poll, after what it moved was noted.
    fn moved<T>(&self, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.activity.note_written();
        }
        poll
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.note_read();
        }
        poll
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = match closed(bytes) {
            // It is short and the last that is said, so what does not fit may be lost.
            Some(answer) => {
                let poll = Pin::new(&mut self.stream).poll_write(context, &answer);
                poll.map_ok(|_| bytes.len())
            }
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
        };
        self.moved(poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [answer] = parts {
            return self.poll_write(context, answer);
        }
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.moved(poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
