//! Who is let in: raw requests over real sockets, each next to one that passes.

use std::net::Shutdown;
use std::os::unix::process::CommandExt;
use std::process::Command;

use serde_json::json;

use crate::conformance::adapter::nothing_may_be_missing;
use crate::served::{Served, TOKEN};

/// A user of this machine who is not the one that runs the tests.
pub(crate) const SOMEBODY_ELSE: u32 = 1000;

/// What the kernel shows for a user that it cannot name.
pub(crate) const OVERFLOW_UID: u32 = 65534;

/// A request of a few parts, where a test changes one.
fn request(host: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("POST /rpc HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\r\n{body}")
}

const JSON: &str = "Content-Type: application/json\r\n";
pub(crate) const STATUS: &str = r#"{"jsonrpc":"2.0","method":"nudge.status","id":1}"#;

#[test]
fn a_request_must_call_the_server_by_its_name() {
    let server = Served::new();
    let port = server.port;
    for (host, status) in [
        (format!("Host: 127.0.0.1:{port}\r\n"), 200),
        (format!("Host: localhost:{port}\r\n"), 200),
        (format!("host: LocalHost:{port}\r\n"), 200),
        (format!("Host: [::1]:{port}\r\n"), 421),
        (String::new(), 421),
        ("Host:\r\n".to_owned(), 421),
        ("Host: 127.0.0.1\r\n".to_owned(), 421),
        ("Host: localhost\r\n".to_owned(), 421),
        (format!("Host: 127.0.0.1:{}\r\n", port ^ 1), 421),
        (format!("Host: 127.0.0.1:0{port}\r\n"), 421),
        (format!("Host: evil.example:{port}\r\n"), 421),
        (format!("Host: 127.0.0.1.evil.example:{port}\r\n"), 421),
        (format!("Host: localhost.:{port}\r\n"), 421),
        (format!("Host: evil@127.0.0.1:{port}\r\n"), 421),
        (format!("Host: 127.0.0.2:{port}\r\n"), 421),
        (format!("Host: 0.0.0.0:{port}\r\n"), 421),
        (format!("Host: ::1:{port}\r\n"), 421),
        (format!("Host: 127.0.0.1:{port}, evil.example\r\n"), 421),
        (
            format!("Host: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\n"),
            421,
        ),
        (
            format!("Host: evil.example\r\nHost: 127.0.0.1:{port}\r\n"),
            421,
        ),
    ] {
        let response = server.tcp().ask(request(&host, &shown(JSON), STATUS));
        assert_eq!(response.status(), status, "{host}");
    }
    // A whole URL in the first line counts as well.
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    for (url, status) in [
        (format!("http://127.0.0.1:{port}/rpc"), 200),
        (format!("http://evil.example:{port}/rpc"), 421),
    ] {
        let request = request(&host, &shown(JSON), STATUS).replace("/rpc", &url);
        assert_eq!(server.tcp().ask(request).status(), status, "{url}");
    }
}

#[test]
fn a_body_must_say_that_it_is_json() {
    let server = Served::new();
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    for (header, status) in [
        ("Content-Type: application/json\r\n", 200),
        ("Content-Type: Application/JSON; charset=utf-8\r\n", 200),
        ("", 415),
        ("Content-Type:\r\n", 415),
        ("Content-Type: text/plain\r\n", 415),
        ("Content-Type: application/x-www-form-urlencoded\r\n", 415),
        ("Content-Type: application/jsonp\r\n", 415),
        ("Content-Type: text/plain; application/json\r\n", 415),
        (
            "Content-Type: text/plain\r\nContent-Type: application/json\r\n",
            415,
        ),
    ] {
        let request = request(&host, &shown(header), STATUS);
        let response = server.tcp().ask(&request);
        assert_eq!(response.status(), status, "{header}");
        assert_eq!(response.body.contains("curl --json"), status == 415);
        assert_eq!(server.unix().ask(&request).status(), status, "{header}");
    }
}

#[test]
fn a_body_has_a_limit() {
    const LIMIT: usize = 8 * 1024 * 1024;
    let server = Served::new();
    let whole = |length: usize| {
        let body = format!("{STATUS}{}", " ".repeat(length - STATUS.len()));
        server.post("/rpc", "", &body)
    };
    let chunked = |length: usize| {
        let head = whole(STATUS.len()).replace(STATUS, "");
        let head = head.replace(
            &format!("Content-Length: {}", STATUS.len()),
            "Transfer-Encoding: chunked",
        );
        let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
        let rest = " ".repeat(length % 0x10000);
        let rest = format!(
            "{:x}\r\n{STATUS}{rest}\r\n0\r\n\r\n",
            rest.len() + STATUS.len()
        );
        format!("{head}{}{rest}", chunk.repeat(length / 0x10000))
    };
    for (request, status) in [
        (whole(LIMIT), 200),
        (whole(LIMIT + 1), 413),
        (whole(2 * LIMIT), 413),
        (chunked(LIMIT / 2), 200),
        (chunked(LIMIT), 413),
        (chunked(LIMIT + 0x20000), 413),
    ] {
        assert_eq!(server.tcp().ask(&request).status(), status);
    }
    assert_eq!(server.unix().ask(whole(LIMIT + 1)).status(), 413);
    // Not even begun: what is announced is too much, or waits to be asked for.
    for announced in [
        "Content-Length: 8388609\r\nExpect: 100-continue\r\n",
        "Content-Length: 99999999999\r\n",
    ] {
        let head = server
            .post("/rpc", "", "")
            .replace("Content-Length: 0\r\n", announced);
        assert_eq!(server.tcp().ask(head).status(), 413);
    }
    let waits = server.post("/rpc", "Expect: 100-continue\r\n", STATUS);
    let (head, body) = waits.split_at(waits.len() - STATUS.len());
    let mut client = server.tcp();
    assert_eq!(client.ask(head).status(), 100);
    assert_eq!(client.ask(body).status(), 200);
}

#[test]
fn what_is_no_http_is_no_call() {
    let server = Served::new();
    let post = server.post("/rpc", "", STATUS);
    let long = server.get("/health", &format!("X: {}\r\n", "x".repeat(100_000)));
    let both = server.post("/rpc", "Transfer-Encoding: chunked\r\n", STATUS);
    let twice = server.post("/rpc", "Content-Length: 5\r\n", STATUS);
    for (request, status) in [
        ("hello\r\n\r\n".to_owned(), 400),
        ("\0\0\0\0\r\n\r\n".to_owned(), 400),
        (post.replace("HTTP/1.1", "HTTP/9.9"), 400),
        (post.replace("Content-Length: ", "Content-Length: -"), 400),
        (twice, 400),
        (long, 431),
    ] {
        let shown = &request[..request.len().min(200)];
        assert_eq!(server.tcp().ask(&request).status(), status, "{shown}");
    }
    // RFC 9112 has the chunks count, and these are none.
    assert_ne!(server.tcp().ask(both).status(), 200);
    assert_eq!(server.tcp().ask(post).status(), 200);
}

#[test]
fn a_token_says_who_the_caller_is() {
    let server = Served::new();
    let host = format!("Host: 127.0.0.1:{}\r\n{JSON}", server.port);
    for (shown, status) in [
        (format!("Authorization: Bearer {TOKEN}\r\n"), 200),
        (format!("Authorization: bearer {TOKEN}\r\n"), 200),
        (format!("Authorization: Bearer {TOKEN}x\r\n"), 401),
        (format!("Authorization: Bearer {}\r\n", &TOKEN[1..]), 401),
        ("Authorization: Bearer 0123456789abcdeg\r\n".to_owned(), 401),
        ("Authorization: Bearer\r\n".to_owned(), 401),
        (format!("Authorization: Basic {TOKEN}\r\n"), 401),
        (format!("Authorization: {TOKEN}\r\n"), 401),
    ] {
        let response = server.tcp().ask(request(&host, &shown, STATUS));
        assert_eq!(response.status(), status, "{shown}");
        assert_eq!(response.body.contains("nudge token"), status == 401);
        assert!(!response.body.contains(TOKEN));
        let scheme = response.header("www-authenticate");
        assert_eq!(scheme.is_some(), status == 401);
    }
}

#[test]
fn who_closes_its_half_after_the_request_is_answered() {
    let server = Served::new();
    let show = format!("Authorization: Bearer {TOKEN}\r\n");
    let mut client = server.tcp();
    client.say(server.post("/rpc", &show, STATUS));
    client.0.get_ref().shutdown(Shutdown::Write).unwrap();
    assert_eq!(client.hear().unwrap().status(), 200);
    assert!(client.is_at_its_end());

    let mut client = server.unix();
    client.say(server.post("/rpc", "", STATUS));
    client.0.get_ref().shutdown(Shutdown::Write).unwrap();
    assert_eq!(client.hear().unwrap().status(), 200);
}

/// Says past the harness what is not tested, and fails where all must be.
#[cfg(target_os = "linux")]
pub(crate) fn skipped(why: &str) {
    use std::io::Write;
    assert!(!nothing_may_be_missing(), "{why}");
    let line = format!("SKIPPED: {why}\n");
    std::io::stdout().write_all(line.as_bytes()).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn another_user_of_the_machine_gets_product_and_version() {
    let server = Served::new();
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can be somebody else; run the tests as root");
    }
    let plain = server.post("/rpc", "", STATUS);
    let with_token = server.post(
        "/rpc",
        &format!("Authorization: Bearer {TOKEN}\r\n"),
        STATUS,
    );
    let health = server.get("/health", "");
    assert_eq!(status(&asked_by(0, &server, &plain)), 200);
    // Who is known to be somebody else is refused whatever it shows; who is not known
    // may be this user.
    for (uid, expected, words, with) in [
        (SOMEBODY_ELSE, 403, "another user's", 403),
        (OVERFLOW_UID, 401, "nudge token", 200),
    ] {
        let refused = asked_by(uid, &server, &plain);
        assert_eq!(status(&refused), expected);
        assert!(refused.contains(words), "{refused}");
        assert_eq!(status(&asked_by(uid, &server, &with_token)), with);
        for path in ["/events", "/mcp", "/", "/nope", "/health/"] {
            let get = asked_by(uid, &server, &server.get(path, ""));
            assert_eq!(status(&get), expected, "{path}");
        }
        let told = asked_by(uid, &server, &health);
        let (_, body) = told.split_once("\r\n\r\n").unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let version = &server.primary.identity.version;
        assert_eq!(body, json!({"product": "nudge", "version": version}));
    }
}

/// What another user of this machine hears on the port.
#[cfg(target_os = "linux")]
fn asked_by(uid: u32, server: &Served, request: &str) -> String {
    asked_at(uid, server.port, request)
}

/// What one hears on a port of this machine.
#[cfg(target_os = "linux")]
pub(crate) fn asked_at(uid: u32, port: u16, request: &str) -> String {
    let request = request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let script = r#"exec 3<>/dev/tcp/127.0.0.1/$0 && printf %s "$1" >&3 && cat <&3"#;
    let port = port.to_string();
    let mut child = Command::new("bash");
    let output = child
        .args(["-c", script, &port, &request])
        .uid(uid)
        .output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

pub(crate) fn status(response: &str) -> u16 {
    response.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Headers with a token where the system does not tell who calls.
fn shown(headers: &str) -> String {
    if cfg!(target_os = "linux") {
        return headers.to_owned();
    }
    format!("{headers}Authorization: Bearer {TOKEN}\r\n")
}
