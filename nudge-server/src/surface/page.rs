//! `GET /`: the page, one file with everything inside.
//!
//! It is kept as several files for those who read them, and joined when it is
//! first asked for. The browser runs what has the hashes of its policy and
//! nothing else, and speaks to nobody but this server.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
};
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::guard::Refusal;

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// The script, in the order in which its parts need each other.
const SCRIPT: [&str; 15] = [
    include_str!("page/text.js"),
    include_str!("page/wire.js"),
    include_str!("page/store.js"),
    include_str!("page/rows.js"),
    include_str!("page/list.js"),
    include_str!("page/place.js"),
    include_str!("page/edit.js"),
    include_str!("page/home.js"),
    include_str!("page/proposals.js"),
    include_str!("page/trust.js"),
    include_str!("page/working.js"),
    include_str!("page/why.js"),
    include_str!("page/sessions.js"),
    include_str!("page/activity.js"),
    include_str!("page/main.js"),
];

const REFUSED: &str = include_str!("page/refused.html");

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Makes a browser forget what anybody else who had our port has left behind, above
/// all a service worker, which would answer in our place.
pub(super) const CLEAR_STORAGE: (HeaderName, &str) =
    (HeaderName::from_static("clear-site-data"), "\"storage\"");

/// A document, and the policy under which a browser may show it.
struct Document {
    html: String,
    policy: String,
}

static PAGE: LazyLock<Document> = LazyLock::new(|| {
    let script = SCRIPT.concat();
    let html = HTML
        .replace("/*STYLE*/", STYLE)
        .replace("/*SCRIPT*/", &script);
    // The icon is the only image, and the style of a bar is set by the script.
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; connect-src 'self'; {CLOSED}; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(&script),
        hash(STYLE),
    );
    Document { html, policy }
});

/// What no document of ours needs: other bases, forms, and frames around it.
const CLOSED: &str = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Whether this is a request for the page.
pub(super) fn is_asked_for(method: &Method, uri: &Uri) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && uri.path() == "/"
}

/// Whether it is one of a browser, in which somebody reads what comes back.
pub(super) fn is_asked_for_by_reader<B>(request: &Request<B>) -> bool {
    let mut accepted = request.headers().get_all(ACCEPT).iter();
    let is_html = |accept: &HeaderValue| accept.to_str().is_ok_and(|it| it.contains("text/html"));
    is_asked_for(request.method(), request.uri()) && accepted.any(is_html)
}

pub(super) async fn show() -> Response {
    respond(PAGE.html.as_str(), &PAGE.policy)
}

/// Why somebody does not get the page, for them to read.
pub(super) fn refused(refusal: Refusal) -> Response {
    // The words are ours, and hold nothing that is markup.
    let html = REFUSED.replace("<!--WORDS-->", &in_code(refusal.words()));
    let style = between(&html, "<style>", "</style>").unwrap_or_default();
    let policy = format!("default-src 'none'; style-src '{}'; {CLOSED}", hash(style));
    refusal.told_by(respond(html, &policy))
}

fn respond(html: impl Into<Body>, policy: &str) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, policy),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (OPENER, "same-origin"),
        CLEAR_STORAGE,
    ];
    (headers, html.into()).into_response()
}

/// The hash of an inline script or style, as a policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// A sentence with what stands in backticks as code.
fn in_code(words: &str) -> String {
    let tags = [["", ""], ["<code>", "</code>"]].into_iter().cycle();
    let parts = words.split('`').zip(tags);
    parts
        .flat_map(|(part, [open, close])| [open, part, close])
        .collect()
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    Some(rest.split_once(close)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_what_stands_in_the_page() {
        let script = between(&PAGE.html, "<script type=\"module\">", "</script>").unwrap();
        let style = between(&PAGE.html, "<style>", "</style>").unwrap();
        assert!(
            PAGE.policy
                .contains(&format!("script-src '{}'", hash(script)))
        );
        assert!(
            PAGE.policy
                .contains(&format!("style-src '{}'", hash(style)))
        );
        assert_eq!(script, SCRIPT.concat());
        assert_eq!(PAGE.html.matches("<script").count(), 1);
        for word in ["-inline", "-eval", "*", "http"] {
            assert!(!PAGE.policy.contains(word), "{}", PAGE.policy);
        }
        // What `openssl dgst -sha256 -binary | base64` says of a text.
        assert_eq!(
            hash("abc"),
            "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        );
    }

    #[test]
    fn nothing_in_the_page_makes_markup_of_text_or_asks_for_another_place() {
        let html = &PAGE.html;
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "eval(",
            "Function(",
            " style=",
            " onclick",
            "https://",
            "localStorage",
            "sessionStorage",
            "@import",
            "<base",
        ] {
            assert!(!html.contains(word), "the page says {word}");
        }
        // The name of the icon's language is no address.
        let places = html.matches("http://").count();
        assert_eq!(
            places,
            html.matches("xmlns='http://www.w3.org/2000/svg'").count()
        );
    }
}
