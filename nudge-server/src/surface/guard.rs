//! What is looked at before anything is parsed: Host, Origin, who the peer is,
//! the media type, and the size and the pace of the body.
//!
//! The peer's uid keeps other users of the machine out. It says nothing about
//! browsers, which run as this user and show pages of anybody, so a browser is
//! known by the headers that a web page cannot leave out, and our own page by a
//! key that no other page has.

mod refusal;

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, EXPECT, HOST, HeaderName, ORIGIN};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;

pub use self::refusal::Refusal;
use crate::surface::page;
use crate::wire::same::is_same;

/// The most bytes of a body.
pub const MAX_BODY: usize = 8 * 1024 * 1024;

/// How many bytes beyond that are read and thrown away, so that a client that
/// listens only once it has spoken hears why it was refused.
const MAX_THROWN_AWAY: u64 = 64 * 1024 * 1024;

/// How long a body may take.
const BODY_WITHIN: Duration = Duration::from_secs(10);

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What the page shows its key in.
const PAGE_KEY: HeaderName = HeaderName::from_static("nudge-page-key");

/// Who is calling, as the guard found. It goes along with the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The user whose server this is.
    Owner,
    /// The page of this user, in a browser.
    Page,
    /// Anybody else, who gets what is the same for everybody.
    OtherUser,
}

/// The guard of one listener.
#[derive(Debug)]
pub struct Guard {
    /// What we must be called, with our port; a browser must use the first.
    names: Vec<String>,
    uid: u32,
    token: Option<Arc<str>>,
    /// What the page must show. Where there is none, no browser is let in.
    key: Option<Arc<str>>,
}

impl Guard {
    /// The guard of a listener on 127.0.0.1. The token serves those whose uid
    /// cannot be told.
    #[must_use]
    pub fn tcp(port: u16, token: Arc<str>) -> Guard {
        Guard {
            names: ["127.0.0.1", "localhost"]
                .map(|name| format!("{name}:{port}"))
                .into(),
            token: Some(token),
            ..Guard::unix()
        }
    }

    /// The guard of the port of the page, where everybody counts as a browser.
    #[must_use]
    pub fn page(port: u16, key: Arc<str>) -> Guard {
        Guard {
            names: vec![format!("127.0.0.1:{port}")],
            key: Some(key),
            ..Guard::unix()
        }
    }

    /// The guard of a Unix socket: no page can reach it, so it may be called by
    /// any name.
    #[must_use]
    pub fn unix() -> Guard {
        Guard {
            names: Vec::new(),
            uid: nudge_client::platform::user(),
            token: None,
            key: None,
        }
    }

    /// Whether a peer is this user.
    #[must_use]
    pub fn knows(&self, uid: Option<u32>) -> bool {
        uid == Some(self.uid)
    }

    /// Lets a request in, with its body read, or says why not. The uid is the
    /// peer's, if it could be told; `most` says how long the body may be.
    pub async fn admit<B>(
        &self,
        request: Request<B>,
        uid: Option<u32>,
        most: impl FnOnce(&HeaderMap) -> usize,
    ) -> Result<(Parts, Bytes), Refusal>
    where
        B: HttpBody<Data = Bytes> + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (mut parts, body) = request.into_parts();
        let caller = self.check(&parts, uid)?;
        parts.extensions.insert(caller);
        // What another user may ask for needs no body.
        let body = if body.is_end_stream() || caller == Peer::OtherUser {
            Bytes::new()
        } else {
            let waits = parts.headers.contains_key(EXPECT);
            read(body, waits, most(&parts.headers)).await?
        };
        Ok((parts, body))
    }

    fn check(&self, parts: &Parts, uid: Option<u32>) -> Result<Peer, Refusal> {
        let headers = &parts.headers;
        let is_browser = self.key.is_some() || is_browser(headers);
        if !self.names.is_empty() && !self.is_called_by_name(parts, is_browser) {
            return Err(Refusal::MISDIRECTED);
        }
        let is_free = !is_browser && parts.uri.path() == "/health";
        // Somebody else may have seen a token or a key, and is refused by the uid alone.
        let is_known_other = uid.is_some() && !self.knows(uid);
        let caller = match (is_known_other, is_browser) {
            (true, _) if is_free => Peer::OtherUser,
            (true, _) => return Err(Refusal::KNOWN_USER),
            (false, true) => self.browser(parts)?,
            (false, false) => self.caller(headers, uid),
        };
        if caller == Peer::OtherUser && !is_browser && !is_free {
            return Err(Refusal::OTHER_USER);
        }
        if parts.method == Method::POST && !is_json(headers) {
            return Err(Refusal::MEDIA_TYPE);
        }
        Ok(caller)
    }

    /// A page of `evil.example` that its owner let point to 127.0.0.1 still
    /// calls us `evil.example`. As `localhost` a browser may know us by a page that
    /// somebody else has served from `[::1]`.
    fn is_called_by_name(&self, parts: &Parts, is_browser: bool) -> bool {
        let mut hosts = parts.headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return false;
        };
        let authority = parts.uri.authority().map(Authority::as_str);
        let known = if is_browser { 1 } else { self.names.len() };
        let is_ours = |host: &str| {
            let mut names = self.names.iter().take(known);
            names.any(|name| name.eq_ignore_ascii_case(host))
        };
        host.to_str().is_ok_and(is_ours) && authority.is_none_or(is_ours)
    }

    /// Which of a browser's pages is asking. Ours may be opened from anywhere, and is
    /// the same for everybody until it shows the key.
    fn browser(&self, parts: &Parts) -> Result<Peer, Refusal> {
        let headers = &parts.headers;
        let mut wanted = headers.get_all(SEC_FETCH_DEST).iter();
        let is_opened = page::is_asked_for(&parts.method, &parts.uri)
            && wanted.all(|wanted| wanted == "document");
        if is_opened && self.key.is_some() {
            return Ok(Peer::OtherUser);
        }
        if !is_opened && !self.is_no_foreign_page(headers) {
            return Err(Refusal::FOREIGN);
        }
        match (&self.key, headers.get(PAGE_KEY)) {
            (Some(key), Some(shown)) if is_same(shown.as_bytes(), key.as_bytes()) => Ok(Peer::Page),
            _ => Err(Refusal::NO_KEY),
        }
    }

    fn is_no_foreign_page(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(ORIGIN).iter();
        let mut sites = headers.get_all(SEC_FETCH_SITE).iter();
        let ours = |origin: &HeaderValue| {
            let origin = origin.to_str().unwrap_or_default();
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| self.names.first().is_some_and(|name| name == host))
        };
        origins.all(ours) && sites.all(|site| site == "none" || site == "same-origin")
    }

    /// Who shows a token is taken by it: a wrong one is a mistake to be told,
    /// whoever makes it.
    fn caller(&self, headers: &HeaderMap, uid: Option<u32>) -> Peer {
        let shown = headers.get(AUTHORIZATION);
        let shown = shown.map(|shown| bearer(shown).unwrap_or_default());
        let owner = match (&self.token, shown) {
            (Some(token), Some(shown)) => is_same(shown, token.as_bytes()),
            _ => self.knows(uid),
        };
        if owner { Peer::Owner } else { Peer::OtherUser }
    }
}

/// The token of an `Authorization` header.
fn bearer(shown: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = shown.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
}

/// Whether a browser sends this. Node's `fetch` sends `Sec-Fetch-Mode`, which is
/// therefore no sign of one.
fn is_browser(headers: &HeaderMap) -> bool {
    let mut signs = [ORIGIN, SEC_FETCH_SITE, SEC_FETCH_DEST].into_iter();
    signs.any(|sign| headers.contains_key(sign))
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(only), None) = (types.next(), types.next()) else {
        return false;
    };
    let media = only.to_str().unwrap_or_default().split(';').next();
    let media = media.unwrap_or_default().trim();
    media.eq_ignore_ascii_case("application/json")
}

/// Reads a body within its limits; `waits` says that the client sends none
/// before it was told to.
async fn read<B>(mut body: B, waits: bool, most: usize) -> Result<Bytes, Refusal>
where
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let announced = body.size_hint().lower();
    if announced > u64::try_from(most).unwrap_or(u64::MAX) {
        if !waits && announced <= MAX_THROWN_AWAY {
            throw_away(body).await;
        }
        return Err(Refusal::TOO_LARGE);
    }
    let read = {
        let mut whole = pin!(Limited::new(&mut body, most).collect());
        // Most bodies came with their head, and need no clock.
        match poll_fn(|context| Poll::Ready(whole.as_mut().poll(context))).await {
            Poll::Ready(read) => Ok(read),
            Poll::Pending => timeout(BODY_WITHIN, whole).await,
        }
    };
    match read {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            throw_away(body).await;
            Err(Refusal::TOO_LARGE)
        }
        Ok(Err(_)) => Err(Refusal::BROKEN),
        Err(_) => Err(Refusal::SLOW),
    }
}

/// Reads what is left of a body that was refused, as far as that is worth it.
async fn throw_away<B: HttpBody<Data = Bytes> + Unpin>(mut body: B) {
    let all = async {
        let mut left = MAX_THROWN_AWAY;
        while let Some(Ok(frame)) = body.frame().await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            left = left.saturating_sub(u64::try_from(length).unwrap_or(u64::MAX));
            if left == 0 {
                break;
            }
        }
    };
    // Too slow is as good as too long.
    let _ = timeout(BODY_WITHIN, all).await;
}
