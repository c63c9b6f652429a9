//! `GET /events`: what happens in the store, as it happens.

use std::convert::Infallible;
use std::fmt::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use crate::primary::Primary;
use crate::primary::events::to_event;
use crate::wire::sender::Sender;

/// How often a stream says that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How much a watcher may be behind before it is waited for. What it then
/// misses stays in the ring for a while.
const AHEAD: usize = 16;

/// A stream of server-sent events, one for each change after now, or after the
/// change that `Last-Event-ID` names, that whoever listens may read.
pub(super) fn stream(primary: Arc<Primary>, by: Sender, headers: &HeaderMap) -> Response {
    let bell = primary.events.bell();
    // Settled before the response begins: whoever has seen its head misses nothing.
    let seq = start(headers, *bell.borrow());
    let (sender, receiver) = mpsc::channel(AHEAD);
    tokio::spawn(tell(primary, by, seq, bell, sender));
    let kind = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
    ];
    (kind, Body::new(EventBody(receiver))).into_response()
}

/// The number of the change after which to begin. A watcher that has seen more
/// than there was knows another session; to it everything is new.
fn start(headers: &HeaderMap, latest: u64) -> u64 {
    let seen = headers.get("last-event-id");
    let seen = seen.and_then(|seen| seen.to_str().ok()?.trim().parse().ok());
    match seen {
        Some(seen) if seen <= latest => seen,
        Some(_) => 0,
        None => latest,
    }
}

/// Writes events until the server ends or nobody reads them.
async fn tell(
    primary: Arc<Primary>,
    by: Sender,
    mut seq: u64,
    mut bell: watch::Receiver<u64>,
    sender: mpsc::Sender<Bytes>,
) {
    let mut stopped = primary.stopped();
    let _joined = primary.join(None);
    loop {
        // Looked at before the changes, so that the last ones are told as well.
        let is_last = *stopped.borrow();
        let mut text = String::new();
        let mut places = primary.places(&by.caller());
        places.retain(|place| primary.nudge.knows_root(place));
        for change in primary.events.after(seq) {
            seq = change.seq;
            if !change.may_be_told_to(&by.caller().places(&places)) {
                continue;
            }
            let change = to_event(&change);
            // Writing to a String cannot fail.
            let _ = write!(text, "id: {seq}\nevent: change\ndata: {change}\n\n");
        }
        if !text.is_empty() && sender.send(text.into()).await.is_err() {
            return;
        }
        if is_last {
            return;
        }
        let is_quiet = tokio::select! {
            _ = bell.changed() => false,
            _ = stopped.wait_for(|stopped| *stopped) => false,
            () = sender.closed() => return,
            () = sleep(HEARTBEAT) => true,
        };
        let heartbeat = Bytes::from_static(b":\n\n");
        if is_quiet && sender.send(heartbeat).await.is_err() {
            return;
        }
    }
}

struct EventBody(mpsc::Receiver<Bytes>);

impl HttpBody for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let text = self.0.poll_recv(context);
        text.map(|text| text.map(|text| Ok(Frame::data(text))))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use http_body_util::BodyExt;
    use nudge::{Config, SetHint};

    use super::*;

    #[test]
    fn who_comes_back_is_told_what_it_missed() {
        let after = |last: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("last-event-id", HeaderValue::from_static(last));
            start(&headers, 3)
        };
        assert_eq!(["1", " 2 ", "0", "9", "x"].map(after), [1, 2, 0, 0, 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_after_the_last_change_and_who_goes_away_is_forgotten() {
        let primary = Arc::new(Primary::with_system_clock(Config::default(), 0));
        let watched = || {
            let headers = HeaderMap::new();
            stream(Arc::clone(&primary), Sender::process(), &headers).into_body()
        };
        drop(watched());
        while Arc::strong_count(&primary) > 1 {
            tokio::task::yield_now().await;
        }
        let body = watched();
        let hint = SetHint::new("api", "build", "make");
        primary.nudge.set_hint(hint).unwrap();
        primary.stop();
        let all = body.collect().await.unwrap().to_bytes();
        assert!(all.starts_with(b"id: 1\n"), "{all:?}");
    }
}
