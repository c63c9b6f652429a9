//! HTTP: the routes of a server, and the listeners in front of them.

mod connection;
mod connection_limit;
mod listen;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use nudge::{Cost, Error, ErrorKind, Operation, Via};
use nudge_client::{CHALLENGE, proof};
use serde_json::json;

use crate::primary::member::Introduction;
use crate::primary::notices::shows_proposals;
use crate::primary::operations::{Method, ServerOperation};
use crate::surface::guard::{MAX_BODY, Peer};
use crate::wire::identity::{PROTOCOL, VERSION, speaks};
use crate::wire::sender::Sender;

pub use self::listen::{serve_page, serve_tcp, serve_unix};
use crate::primary::Primary;
use crate::primary::call::{QUICK, call, call_into, nth};
use crate::surface::event_stream;
use crate::surface::rpc::Sent;
use crate::wire::json_text::ascii_json;

/// What the user is to know, on a response to a command.
const NOTICES: HeaderName = HeaderName::from_static("nudge-notice");

/// The most bytes of that header: clients give up on longer ones.
const MAX_NOTICES: usize = 8 * 1024;

/// What a client speaks.
const PROTOCOL_HEADER: HeaderName = HeaderName::from_static("nudge-protocol");

/// By what a call is known that is made again, because its answer was lost.
const REQUEST_ID: HeaderName = HeaderName::from_static("nudge-request-id");

/// The longest of these; ours have some forty letters.
const MAX_REQUEST_ID: usize = 128;

/// Who sends a call, as the CLI, hooks and PROXYs say who show the session's client key.
const ORIGIN: HeaderName = HeaderName::from_static("nudge-origin");

/// Whose events a stream tells: who has seen a snapshot of another session
/// must not take them for changes of that.
const SESSION: HeaderName = HeaderName::from_static("nudge-session");

/// The longest challenge that is answered.
const MAX_CHALLENGE: usize = 64;

const ROUTES: &str = "there are POST /rpc (JSON-RPC 2.0; also at /), GET /health, GET /events \
                      and /mcp; `nudge ui` opens a page for people\n";

/// The routes of a server, with those of `mcp` beside them, behind a guard that says who calls.
fn routes(shared: Arc<Shared>, mcp: Router) -> Router {
    Router::new()
        .route("/rpc", post(rpc_call))
        .route("/", post(rpc_call))
        .route("/health", get(health))
        .route("/events", get(events))
        .method_not_allowed_fallback(async || (StatusCode::METHOD_NOT_ALLOWED, ROUTES))
        .with_state(shared)
        .merge(mcp)
        .fallback(async || (StatusCode::NOT_FOUND, ROUTES))
}

/// What the routes share.
struct Shared {
    primary: Arc<Primary>,
}

impl Shared {
    /// Whether a call may be made right here.
    fn is_quick(&self, method: Option<&str>) -> bool {
        let cost = match method.map(Method::named) {
            Some(Ok(method)) => method.about().cost,
            Some(Err(_)) => Cost::Quick,
            // A batch may hold anything.
            None => Cost::Bulk,
        };
        self.primary.is_quick(cost)
    }

    /// Answers what was sent to `/rpc`, on a thread of its own where that may take long:
    /// the others of the server are answered by one thread.
    async fn answer(self: &Arc<Self>, peer: Peer, headers: HeaderMap, body: Bytes) -> Response {
        let mut turn = None;
        if body.len() <= QUICK {
            let sent = Sent::read(&body);
            if self.is_quick(sent.method()) {
                return self.answer_now(peer, &headers, sent);
            }
            let is_event = sent.method() == Some(Operation::OnEvent.name());
            turn = is_event.then(|| self.primary.turns.take());
        }
        let shared = Arc::clone(self);
        let answer = move |_: &Primary| {
            let _turn = turn.map(|wait| wait());
            shared.answer_now(peer, &headers, Sent::read(&body))
        };
        let failed = || StatusCode::INTERNAL_SERVER_ERROR.into_response();
        self.primary.in_bulk(answer).await.unwrap_or_else(failed)
    }

    fn sender(&self, peer: Peer, headers: &HeaderMap) -> Sender {
        let claims = headers.get(ORIGIN).map(HeaderValue::as_bytes);
        match peer {
            Peer::Page => Sender::new(Via::Page, None),
            _ => Sender::read(claims, &self.primary.client_key),
        }
    }

    /// How long a body may be: the user's own carries a whole memory.
    fn most_of_body(&self, headers: &HeaderMap) -> usize {
        let sender = self.sender(Peer::Owner, headers);
        let most = self.primary.nudge.config().limits.bytes;
        if sender.caller().is_user() {
            most.max(MAX_BODY)
        } else {
            MAX_BODY
        }
    }

    /// Answers a call.
    ///
    /// What never reaches a page can neither be shown nor kept in a browser, so it gets
    /// no secrets; nor may it say that it is somebody else.
    fn answer_now(&self, peer: Peer, headers: &HeaderMap, sent: Sent<'_>) -> Response {
        let id = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        let id = id.filter(|id| id.len() <= MAX_REQUEST_ID);
        let hides = peer == Peer::Page;
        let sender = self.sender(peer, headers);
        if let Some(known) = self.primary.heard_from(&sender) {
            return (StatusCode::PRECONDITION_FAILED, json!(known).to_string()).into_response();
        }
        let is_ours = sender.caller().is_user();
        let agreed = agree(headers);
        let (mut calls, mut joined, mut has_seen) = (0, None, false);
        let answer = sent.answer(|method, params, response| {
            let method = Method::named(method)?;
            // In every version these mean the same.
            if !matches!(
                method,
                Method::Server(ServerOperation::Stop | ServerOperation::Restart)
            ) {
                agreed.clone()?;
            }
            if method == ServerOperation::Hello.into() && is_ours {
                joined = introduced(params).map(|said| Arc::new(self.primary.join(Some(said))));
            }
            // In a batch each call has an id of its own.
            let number = calls;
            calls += 1;
            let by = sender.caller().hides_secrets(hides);
            let id = id.filter(|_| method.writes());
            if let Some(id) = id.map(|id| nth(id, number)) {
                let by = by.request(&id);
                let once = call(&self.primary, &by, method, params)?;
                response.extend_from_slice(once.get().as_bytes());
            } else {
                call_into(&self.primary, &by, method, params, response)?;
            }
            has_seen |= shows_proposals(method);
            Ok(())
        });
        let mut response = match answer {
            Some(answer) => {
                let json = HeaderValue::from_static("application/json");
                ([(CONTENT_TYPE, json)], answer).into_response()
            }
            None => StatusCode::NO_CONTENT.into_response(),
        };
        if sender.is_typed() {
            let notices = as_header(self.primary.take_notices(has_seen, sender.caller().repo));
            notices.map(|notices| response.headers_mut().insert(NOTICES, notices));
        }
        if let Some(joined) = joined {
            response.extensions_mut().insert(joined);
        }
        response
    }
}

/// Refuses a client that speaks another language; one that does not say is taken at its word.
fn agree(headers: &HeaderMap) -> Result<(), Error> {
    let theirs = headers
        .get(PROTOCOL_HEADER)
        .and_then(|value| value.to_str().ok());
    match theirs.filter(|theirs| !speaks(theirs)) {
        None => Ok(()),
        Some(theirs) => {
            let words = format!(
                "the server is nudge {VERSION} with protocol {PROTOCOL}, not {theirs}; end it with \
                 `nudge restart`, or use the same version"
            );
            Err(Error::new(ErrorKind::Unavailable, words))
        }
    }
}

/// The process that says hello, where it says which one it is.
fn introduced(params: &str) -> Option<Introduction> {
    let said: Introduction = serde_json::from_str(params).ok()?;
    said.pid.is_some().then_some(said)
}

/// Sentences as JSON in ASCII, as many as a header can hold.
fn as_header(mut notices: Vec<String>) -> Option<HeaderValue> {
    let mut length = 2;
    notices.retain(|notice| {
        // A character that must be escaped takes six times as much at most.
        length += 6 * notice.len() + 3;
        length <= MAX_NOTICES
    });
    if notices.is_empty() {
        return None;
    }
    HeaderValue::try_from(ascii_json(&notices)?).ok()
}

async fn rpc_call(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    // The guard has read it, within its limits.
    match to_bytes(body, usize::MAX).await {
        Ok(body) => shared.answer(peer, headers, body).await,
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn health(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let identity = &shared.primary.identity;
    let mut told = match peer {
        Peer::Owner => json!({
            "product": identity.product,
            "version": identity.version,
            "protocol": identity.protocol,
            "role": "primary",
            "session_id": identity.session_id,
            "pid": identity.pid,
            "nonce": identity.nonce,
        }),
        _ => json!({"product": identity.product, "version": identity.version}),
    };
    // Who is not known must know us before it shows who it is.
    let challenge = headers.get(CHALLENGE).and_then(|it| it.to_str().ok());
    if let Some(challenge) = challenge.filter(|it| it.len() <= MAX_CHALLENGE) {
        told["proof"] = proof(&identity.nonce, challenge).into();
    }
    let json = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, json)], told.to_string())
}

async fn events(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    let by = shared.sender(peer, &headers);
    let mut response = event_stream::stream(Arc::clone(&shared.primary), by, &headers);
    if let Ok(session) = HeaderValue::from_str(&shared.primary.identity.session_id) {
        response.headers_mut().insert(SESSION, session);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_any_kind_make_a_header() {
        let header = |notices: &[&str]| {
            let notices = notices.iter().map(|notice| (*notice).to_owned()).collect();
            let header = as_header(notices)?;
            Some(header.to_str().unwrap().to_owned())
        };
        assert_eq!(header(&[]), None);
        assert_eq!(header(&["A", "2 wait"]).unwrap(), r#"["A","2 wait"]"#);
        let odd = header(&["é", "😀\"", "\u{7f}\n"]).unwrap();
        assert_eq!(odd, r#"["\u00e9","\ud83d\ude00\"","\u007f\n"]"#);
        let back: Vec<String> = serde_json::from_str(&odd).unwrap();
        assert_eq!(back, ["é", "😀\"", "\u{7f}\n"]);
        let many = vec!["x".repeat(256); 100];
        assert!(as_header(many).unwrap().len() <= MAX_NOTICES);
    }
}
