//! `GET /`: who gets the page, under which policy, and what it is told.

use nudge_server::primary::operations::Method;
use serde_json::json;

use crate::guard::{OVERFLOW_UID, asked_by, skipped, status};
use crate::served::{Response, Served, TOKEN};

/// How a browser asks for what somebody wants to look at.
const BROWSER: &str = "Accept: text/html,application/xhtml+xml\r\n";

fn is_page(response: &Response) -> bool {
    response.status() == 200 && response.body.contains("<script type=\"module\">")
}

#[test]
fn the_page_calls_methods_that_there_are() {
    let page = Served::new();
    let page = page.tcp().ask(page.get("/", BROWSER)).body;
    let mut named = page.split("\"nudge.").skip(1);
    let methods: Vec<&str> = named
        .by_ref()
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(methods.len() > 8, "{methods:?}");
    for name in methods {
        assert!(Method::named(&format!("nudge.{name}")).is_ok(), "{name}");
    }
}

#[test]
fn the_page_comes_with_a_policy_that_lets_nothing_else_in() {
    let server = Served::new();
    let response = server.tcp().ask(server.get("/", BROWSER));
    assert!(is_page(&response), "{}", response.head);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(response.header(name), Some(value), "{name}");
    }
    let policy = response.header("content-security-policy").unwrap();
    let directives: Vec<&str> = policy.split("; ").collect();
    for directive in [
        "default-src 'none'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(directives.contains(&directive), "{directive}: {policy}");
    }
    for source in ["script-src 'sha256-", "style-src 'sha256-"] {
        let mut of_kind = directives.iter().filter(|it| it.starts_with(source));
        let only = of_kind.next().unwrap();
        assert_eq!((only.matches('\'').count(), of_kind.next()), (2, None));
    }
}

#[test]
fn the_page_is_there_for_those_who_only_look_and_on_the_socket() {
    let server = Served::new();
    let head = server.get("/", BROWSER).replace("GET /", "HEAD /");
    let mut client = server.tcp();
    client.say(&head);
    let mut told = String::new();
    while !told.ends_with("\r\n\r\n") {
        std::io::BufRead::read_line(&mut client.0, &mut told).unwrap();
    }
    assert!(told.starts_with("HTTP/1.1 200"), "{told}");
    assert!(told.contains("content-security-policy"), "{told}");
    // Nothing but the next answer follows.
    assert_eq!(client.ask(server.get("/health", "")).status(), 200);
    assert!(is_page(&server.unix().ask(server.get("/", BROWSER))));
}

#[test]
fn a_token_in_the_address_counts_for_the_page_alone() {
    let server = Served::new();
    let mut client = server.tcp();
    for (path, expected) in [
        (format!("/?token={TOKEN}"), 200),
        (format!("/?a=b&token={TOKEN}"), 200),
        ("/?tokens=x".to_owned(), 200),
        ("/?token=wrong".to_owned(), 401),
        ("/?token=".to_owned(), 401),
        (format!("/?token={TOKEN}x"), 401),
        ("/health?token=wrong".to_owned(), 200),
        ("/nope?token=wrong".to_owned(), 404),
    ] {
        let request = server.get(&path, "");
        if !cfg!(target_os = "linux") && expected != 401 && !path.contains(TOKEN) {
            continue;
        }
        assert_eq!(client.ask(request).status(), expected, "{path}");
    }
    // A caller who shows a header is taken by it.
    let both = server.get(
        "/?token=wrong",
        &format!("Authorization: Bearer {TOKEN}\r\n"),
    );
    assert_eq!(client.ask(both).status(), 200);
}

#[test]
fn a_token_in_the_address_lets_somebody_in_whom_the_system_cannot_name() {
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can be somebody else; run the tests as root");
    }
    let server = Served::new();
    for (method, path, expected) in [
        ("GET", format!("/?token={TOKEN}"), 200),
        ("HEAD", format!("/?token={TOKEN}"), 200),
        ("GET", "/?token=wrong".to_owned(), 401),
        ("GET", "/".to_owned(), 401),
        // Not `/events`, which would have no end if it were let through.
        ("GET", format!("/nope?token={TOKEN}"), 401),
        ("GET", format!("/rpc?token={TOKEN}"), 401),
        ("PUT", format!("/?token={TOKEN}"), 401),
        ("POST", format!("/?token={TOKEN}"), 401),
    ] {
        let request = server
            .get(&path, BROWSER)
            .replace("GET /", &format!("{method} /"));
        let told = asked_by(OVERFLOW_UID, &server, &request);
        assert_eq!(status(&told), expected, "{method} {path}");
    }
}

#[test]
fn who_does_not_get_the_page_reads_why() {
    let server = Served::new();
    let mut client = server.tcp();
    let foreign = format!("{BROWSER}Sec-Fetch-Site: cross-site\r\n");
    let misdirected = format!("GET / HTTP/1.1\r\nHost: evil.example\r\n{BROWSER}\r\n");
    for (request, expected, word) in [
        (
            server.get("/?token=wrong", BROWSER),
            401,
            "token in this address",
        ),
        (server.get("/", &foreign), 403, "another origin"),
        (misdirected, 421, "<code>127.0.0.1</code>"),
    ] {
        let response = client.ask(&request);
        assert_eq!(response.status(), expected, "{request}");
        assert_eq!(
            response.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        let policy = response.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; style-src 'sha256-"),
            "{policy}"
        );
        assert!(!policy.contains("script-src"), "{policy}");
        assert!(response.body.contains(word), "{}", response.body);
        assert!(
            response.body.contains("<code>nudge ui</code>"),
            "{}",
            response.body
        );
        assert!(!response.body.contains("<script"), "{}", response.body);
        assert!(!response.body.contains(TOKEN), "{}", response.body);
    }
    // A program reads a line, and so does who asks for anything else.
    for (path, headers) in [("/?token=wrong", ""), ("/rpc", foreign.as_str())] {
        let response = client.ask(server.get(path, headers));
        assert_eq!(
            response.header("content-type"),
            Some("text/plain; charset=utf-8")
        );
    }
    for site in ["none", "same-origin"] {
        let headers = format!("{BROWSER}Sec-Fetch-Site: {site}\r\n");
        assert!(is_page(&client.ask(server.get("/", &headers))), "{site}");
    }
}

#[test]
fn an_answer_that_is_to_be_shown_holds_no_secret() {
    let server = Served::new();
    let mut client = server.tcp();
    for (key, meta) in [
        ("token", json!({"sensitivity": "secret"})),
        ("port", json!({})),
    ] {
        let params = json!({"component": "api", "key": key, "value": format!("value of {key}"), "meta": meta});
        client.ask(server.call("nudge.set_hint", &params));
    }
    let get = |key: &str| json!({"jsonrpc": "2.0", "id": key, "method": "nudge.get_hint", "params": {"component": "api", "key": key}});
    let export = json!({"jsonrpc": "2.0", "id": 1, "method": "nudge.export", "params": {"format": "json", "include_secrets": true}});
    let delete = json!({"jsonrpc": "2.0", "id": 2, "method": "nudge.delete_hint", "params": {"component": "api", "key": "token"}});
    let read = json!([get("token"), get("port"), export]).to_string();
    let told = client.ask(server.post("/rpc", "", &read)).body;
    assert_eq!(told.matches("value of token").count(), 2);
    let written = json!([export, delete]).to_string();
    for batch in [read, written] {
        let told = client
            .ask(server.post("/rpc", "Nudge-Mask: secrets\r\n", &batch))
            .body;
        assert!(!told.contains("value of token"), "{told}");
        assert_eq!(told.matches("***").count(), 2, "{told}");
        assert!(told.contains("value of port"), "{told}");
    }
}

#[test]
fn a_stream_says_whose_events_it_tells() {
    let server = Served::new();
    let response = server.tcp().ask(server.get("/events", ""));
    let session = &server.primary.identity.session_id;
    assert_eq!(response.header("nudge-session"), Some(session.as_str()));
}
