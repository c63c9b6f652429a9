//! `GET /`: who gets the page, under which policy, and what it is told.

use nudge::{Actor, Via};
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use serde_json::json;

use crate::says::Says;
use crate::served::{Response, Served};

/// How a browser asks for what somebody wants to look at.
const BROWSER: &str = "Accept: text/html,application/xhtml+xml\r\n";

fn is_page(response: &Response) -> bool {
    response.status() == 200 && response.body.contains("<script type=\"module\">")
}

#[test]
fn the_page_calls_methods_that_there_are() {
    let server = Served::new();
    let page = server.ask_page(&server.get("/", BROWSER)).body;
    let named = page.split("\"nudge.").skip(1);
    let methods: Vec<&str> = named.filter_map(|rest| rest.split('"').next()).collect();
    assert!(methods.len() > 8, "{methods:?}");
    for name in methods {
        assert!(Method::named(&format!("nudge.{name}")).is_ok(), "{name}");
    }
}

#[test]
fn the_page_comes_with_a_policy_that_lets_nothing_else_in() {
    let server = Served::new();
    let response = server.ask_page(&server.get("/", BROWSER));
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
fn the_page_is_the_same_for_whoever_opens_it_and_holds_no_key() {
    let server = Served::new();
    let (_, key) = server.page();
    let key = key.trim().rsplit(' ').next().unwrap();
    let opened = |more: &str| server.ask_page(&server.get("/", &format!("{BROWSER}{more}")));
    let first = opened("");
    assert_eq!(first.header("clear-site-data"), Some("\"storage\""));
    assert!(!first.body.contains(key));
    for more in [
        "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
        // A file has led here, or a link.
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
    ] {
        let again = opened(more);
        assert!(is_page(&again), "{}", again.head);
        assert_eq!(again.body, first.body);
    }
    for more in [
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: iframe\r\n",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: script\r\n",
        "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: empty\r\n",
        "Origin: http://evil.example\r\nSec-Fetch-Dest: empty\r\n",
    ] {
        assert_eq!(opened(more).status(), 403, "{more}");
    }
}

#[test]
fn where_there_is_no_page_one_reads_how_to_get_it() {
    let server = Served::new();
    let browser = format!("{BROWSER}Sec-Fetch-Site: none\r\nSec-Fetch-Dest: document\r\n");
    let ours = server.get("/", &browser);
    let misdirected = ours.replace("127.0.0.1", "evil.example");
    for (request, expected, word) in [
        (&ours, 403, "by the key"),
        (&misdirected, 421, "<code>127.0.0.1</code>"),
    ] {
        let response = server.tcp().ask(request);
        assert_eq!(response.status(), expected, "{request}");
        let kind = response.header("content-type");
        assert_eq!(kind, Some("text/html; charset=utf-8"));
        let clears = response.header("clear-site-data");
        assert_eq!(clears, Some("\"storage\""));
        let policy = response.header("content-security-policy").unwrap();
        let style = "default-src 'none'; style-src 'sha256-";
        assert!(policy.starts_with(style), "{policy}");
        policy.hides("script-src");
        let body = &response.body;
        body.says(word).says("<code>nudge ui</code>");
        body.hides("<script");
    }
    // A program reads a line, and so does who asks for anything else.
    for response in [
        server.tcp().ask(server.get("/", "")),
        server.unix().ask(server.get("/", BROWSER)),
        server.tcp().ask(server.get("/rpc", &browser)),
    ] {
        let kind = response.header("content-type");
        assert_eq!(kind, Some("text/plain; charset=utf-8"));
        response.body.says("`nudge ui`");
    }
}

#[test]
fn a_page_is_the_user_on_the_page_whatever_it_says() {
    let server = Served::new();
    let (_, key) = server.page();
    let headers = format!("{key}Nudge-Origin: {{\"via\": \"cli\", \"client\": \"nudge/9\"}}\r\n");
    let ask = |method: &str, params: &serde_json::Value| {
        let call = server.call_with(&headers, method, params);
        server.ask_page(&call).json()
    };
    let set = json!({"component": "api", "key": "build", "value": "make"});
    let meta = &ask("nudge.set_hint", &set)["result"]["hint"]["meta"];
    assert_eq!(meta["source"], "user");
    assert_eq!(meta["origin"]["via"], "page");
    assert!(meta["origin"].get("client").is_none(), "{meta}");
    let told = ask("nudge.page", &json!({}));
    assert!(told.get("result").is_none(), "{told}");
}

#[test]
fn no_answer_to_a_page_holds_a_secret() {
    let server = Served::new();
    let (_, page_key) = server.page();
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
    let user = Sender::new(Via::Http, None).actor(Actor::User);
    let user = user.header_line(Some(&server.primary.client_key));
    let told = client.ask(server.post("/rpc", &user, &read)).body;
    assert_eq!(told.matches("value of token").count(), 2);
    let written = json!([export, delete]).to_string();
    for batch in [read, written] {
        let asked = server.post("/rpc", &page_key, &batch);
        let told = server.ask_page(&asked).body;
        told.hides("value of token");
        assert_eq!(told.matches("***").count(), 2, "{told}");
        told.says("value of port");
    }
}

#[test]
fn a_stream_says_whose_events_it_tells() {
    let server = Served::new();
    let response = server.tcp().ask(server.get("/events", ""));
    let session = &server.primary.identity.session_id;
    assert_eq!(response.header("nudge-session"), Some(session.as_str()));
}
