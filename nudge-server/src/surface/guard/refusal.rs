//! Why a request was not let in, and what its sender is told.

use axum::http::header::WWW_AUTHENTICATE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::surface::page::CLEAR_STORAGE;

/// Why a request was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    words: &'static str,
}

/// Makes the table of refusals: the name of each, its status and its words.
macro_rules! refusals {
    ($($name:ident $status:ident $words:literal;)+) => {
        impl Refusal {
            $(pub(super) const $name: Refusal = Refusal {
                status: StatusCode::$status,
                words: $words,
            };)+
        }
    };
}

refusals! {
    MISDIRECTED MISDIRECTED_REQUEST
        "this server answers to `127.0.0.1` and `localhost` with its port, and to a browser \
        as `127.0.0.1` alone; give one of them in a single `Host` header";
    FOREIGN FORBIDDEN
        "a page of another origin may not ask this server; ask from a program";
    OTHER_USER UNAUTHORIZED
        "this server answers to its own user; if that is you, \
        send the header `Authorization: Bearer TOKEN` with the token that `nudge token` prints";
    KNOWN_USER FORBIDDEN
        "this server is another user's; `nudge serve` starts one of your own";
    NO_KEY FORBIDDEN
        "a browser is let in by the key that `nudge ui` gives to the page it opens";
    MEDIA_TYPE UNSUPPORTED_MEDIA_TYPE
        "the body must be `Content-Type: application/json`; `curl --json BODY URL` says so";
    TOO_LARGE PAYLOAD_TOO_LARGE
        "a body has at most 8 MiB; send several";
    SLOW REQUEST_TIMEOUT
        "the body did not arrive within 10 seconds; send it at once";
    BROKEN BAD_REQUEST
        "the body could not be read to its end; send it again";
}

impl Refusal {
    pub(crate) fn words(self) -> &'static str {
        self.words
    }

    /// A response that tells of it, by its status.
    pub(crate) fn told_by(self, mut response: Response) -> Response {
        *response.status_mut() = self.status;
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let words = format!("{}\n", self.words);
        self.told_by(([CLEAR_STORAGE], words).into_response())
    }
}
