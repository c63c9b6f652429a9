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

impl Refusal {
    pub(super) const MISDIRECTED: Refusal = Refusal {
        status: StatusCode::MISDIRECTED_REQUEST,
        words: "this server answers to `127.0.0.1` and `localhost` with its port, and to a browser \
                as `127.0.0.1` alone; give one of them in a single `Host` header",
    };
    pub(super) const FOREIGN: Refusal = Refusal {
        status: StatusCode::FORBIDDEN,
        words: "a page of another origin may not ask this server; ask from a program",
    };
    pub(super) const OTHER_USER: Refusal = Refusal {
        status: StatusCode::UNAUTHORIZED,
        words: "this server answers to its own user; if that is you, \
                send the header `Authorization: Bearer TOKEN` with the token that `nudge token` prints",
    };
    pub(super) const KNOWN_USER: Refusal = Refusal {
        status: StatusCode::FORBIDDEN,
        words: "this server is another user's; `nudge serve` starts one of your own",
    };
    pub(super) const NO_KEY: Refusal = Refusal {
        status: StatusCode::FORBIDDEN,
        words: "a browser is let in by the key that `nudge ui` gives to the page it opens",
    };
    pub(super) const MEDIA_TYPE: Refusal = Refusal {
        status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
        words: "the body must be `Content-Type: application/json`; `curl --json BODY URL` says so",
    };
    pub(super) const TOO_LARGE: Refusal = Refusal {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        words: "a body has at most 8 MiB; send several",
    };
    pub(super) const SLOW: Refusal = Refusal {
        status: StatusCode::REQUEST_TIMEOUT,
        words: "the body did not arrive within 10 seconds; send it at once",
    };
    pub(super) const BROKEN: Refusal = Refusal {
        status: StatusCode::BAD_REQUEST,
        words: "the body could not be read to its end; send it again",
    };
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
