//! One connection: how long it may take, and how it ends.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::connection_limit::Activity;

/// How long the head of a request may take from its first byte.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// How long nothing may move while nobody is at work.
const QUIET_FOR: Duration = Duration::from_secs(30);

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

/// A stream with little patience: it fails when a head takes too long, or when
/// nothing moves for a while.
///
/// hyper knows one timeout for both, which would end connections that are kept
/// for the next call after the time that a slow head has.
pub(super) struct Impatient<S> {
    stream: S,
    activity: Arc<Activity>,
    /// When the first byte of an unfinished head came, and its number.
    head: Option<(u32, Instant)>,
    alarm: Pin<Box<Sleep>>,
}

impl<S> Impatient<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>) -> Impatient<S> {
        Impatient {
            stream,
            activity,
            head: None,
            alarm: Box::pin(sleep(QUIET_FOR)),
        }
    }

    fn note_read(&mut self) {
        let now = Instant::now();
        self.activity.move_at(now);
        let number = self.activity.begun();
        let is_begun = self.head.is_some_and(|(begun, _)| begun == number);
        if !is_begun && !self.activity.is_busy() {
            self.head = Some((number, now));
        }
    }

    /// When patience ends, if nothing moves from now on; while a request is
    /// being answered it does not.
    fn deadline(&self) -> Option<Instant> {
        if self.activity.is_busy() || self.activity.is_joined() {
            return None;
        }
        let quiet = self.activity.moved_at() + QUIET_FOR;
        match self.head {
            Some((number, since)) if number == self.activity.begun() => {
                Some(quiet.min(since + HEAD_WITHIN))
            }
            _ => Some(quiet),
        }
    }

    /// Fails once patience has ended. The alarm is set again only when it rings,
    /// or when it would ring too late, and not whenever something moves.
    fn poll_alarm(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            let deadline = self.deadline();
            if let Some(deadline) = deadline.filter(|deadline| *deadline < self.alarm.deadline()) {
                self.alarm.as_mut().reset(deadline);
            }
            ready!(self.alarm.as_mut().poll(context));
            let now = Instant::now();
            let deadline = deadline.unwrap_or(now + QUIET_FOR);
            if deadline <= now {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            self.alarm.as_mut().reset(deadline);
        }
    }

    /// The same for a poll that moved something or did not.
    fn moved<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if poll.is_pending() {
            return self.poll_alarm(context).map(Err);
        }
        self.activity.move_at(Instant::now());
        poll
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => self.poll_alarm(context).map(Err),
            poll @ Poll::Ready(_) => {
                if buffer.filled().len() > before {
                    self.note_read();
                }
                poll
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
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
        self.moved(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [answer] = parts {
            return self.poll_write(context, answer);
        }
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.moved(context, poll)
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
