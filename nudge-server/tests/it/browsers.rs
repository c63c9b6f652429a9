//! Which browsers are let in, and what no page of somebody else may do with an answer.

use crate::guard::{OVERFLOW_UID, SOMEBODY_ELSE, STATUS, asked_at, skipped, status};
use crate::served::{Served, TOKEN};

#[test]
fn no_browser_is_let_in_but_by_the_key_on_the_port_of_the_page() {
    let server = Served::new();
    let (_, key) = server.page();
    let (other, token) = (
        format!("Nudge-Page-Key: {}\r\n", "0".repeat(64)),
        format!("Authorization: Bearer {TOKEN}\r\n"),
    );
    let twice = format!("{other}{key}");
    for sign in [
        format!("Origin: http://127.0.0.1:{}\r\n", server.port),
        "Sec-Fetch-Site: same-origin\r\n".to_owned(),
        "Sec-Fetch-Site: none\r\nSec-Fetch-Dest: document\r\n".to_owned(),
        "Sec-Fetch-Dest: empty\r\n".to_owned(),
    ] {
        for shown in ["", &key, &token, "Nudge-Page-Key:\r\n"] {
            let headers = format!("{sign}{shown}");
            for request in [
                server.post("/rpc", &headers, STATUS),
                server.post("/", &headers, STATUS),
                server.get("/", &headers),
                server.get("/events", &headers),
                server.get("/mcp", &headers),
                server.get("/health", &headers),
            ] {
                for response in [server.tcp().ask(&request), server.unix().ask(&request)] {
                    assert_eq!(response.status(), 403, "{request}");
                    assert!(
                        response.body.contains("`nudge ui`") || response.body.contains("origin")
                    );
                }
            }
        }
    }
    // A program of Node is none.
    let node = server.post("/rpc", "Sec-Fetch-Mode: cors\r\n", STATUS);
    assert_eq!(server.tcp().ask(node).status(), 200);
    // On the port of the page everybody is.
    for (shown, status) in [
        (key.as_str(), 200),
        ("", 403),
        ("Nudge-Page-Key:\r\n", 403),
        (&other, 403),
        (&token, 403),
        (&twice, 403),
    ] {
        let call = server.ask_page(&server.post("/rpc", shown, STATUS));
        assert_eq!(call.status(), status, "{shown}");
        let health = server.ask_page(&server.get("/health", shown));
        assert_eq!(health.status(), status, "{shown}");
        assert!(!health.body.contains("nonce"), "{}", health.body);
    }
    assert_eq!(server.ask_page(&server.get("/mcp", &key)).status(), 404);
}

#[test]
fn a_browser_must_call_the_server_by_its_address() {
    let server = Served::new();
    let (port, key) = server.page();
    let ours = server.post("/rpc", &key, STATUS);
    let named = |name: &str| ours.replace(&format!("127.0.0.1:{}", server.port), name);
    for (name, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 421),
        (format!("[::1]:{port}"), 421),
        (format!("127.0.0.1:{}", port ^ 1), 421),
    ] {
        assert_eq!(server.ask_page(&named(&name)).status(), status, "{name}");
    }
    let browser = server.post("/rpc", "Sec-Fetch-Site: same-origin\r\n", STATUS);
    let browser = browser.replace("127.0.0.1", "localhost");
    assert_eq!(server.tcp().ask(browser).status(), 421);
}

#[test]
fn every_answer_keeps_other_origins_out() {
    let server = Served::new();
    let (_, key) = server.page();
    let browser = server.get("/events", "Origin: http://evil.example\r\n");
    let asks_first = server.get("/rpc", "Access-Control-Request-Method: POST\r\n");
    for response in [
        server.tcp().ask(asks_first.replace("GET", "OPTIONS")),
        server.tcp().ask(server.post("/rpc", "", STATUS)),
        server.tcp().ask(server.post("/rpc", "", "")),
        server.tcp().ask(server.get("/health", "")),
        server.tcp().ask(server.get("/events", "")),
        server.tcp().ask(server.get("/nope", "")),
        server.tcp().ask(server.get("/", "")),
        server.unix().ask(server.get("/health", "")),
        server.tcp().ask(&browser),
        server.tcp().ask("GET / HTTP/1.1\r\n\r\n"),
        server.ask_page(&server.get("/", "")),
        server.ask_page(&server.get("/events", &key)),
        server.ask_page(&server.post("/rpc", &key, STATUS)),
        server.ask_page(&server.post("/rpc", "", STATUS)),
    ] {
        let head = &response.head;
        assert_eq!(
            response.header("x-content-type-options"),
            Some("nosniff"),
            "{head}"
        );
        let resource = response.header("cross-origin-resource-policy");
        assert_eq!(resource, Some("same-origin"), "{head}");
        assert!(
            !head.to_ascii_lowercase().contains("access-control-"),
            "{head}"
        );
    }
    // What others have left in a browser goes with the first that it is refused.
    let refused = server.tcp().ask(browser);
    assert_eq!(refused.header("clear-site-data"), Some("\"storage\""));
}

#[test]
fn a_page_of_another_origin_gets_nothing() {
    let server = Served::new();
    let (port, key) = server.page();
    for (header, status) in [
        (format!("Origin: http://127.0.0.1:{port}\r\n"), 200),
        (format!("Origin: http://localhost:{port}\r\n"), 403),
        (format!("Origin: http://[::1]:{port}\r\n"), 403),
        (format!("Origin: http://127.0.0.1:{}\r\n", server.port), 403),
        ("Origin: http://evil.example\r\n".to_owned(), 403),
        (format!("Origin: http://evil.example:{port}\r\n"), 403),
        (format!("Origin: https://127.0.0.1:{port}\r\n"), 403),
        (format!("Origin: http://127.0.0.1:{}\r\n", port ^ 1), 403),
        ("Origin: http://localhost\r\n".to_owned(), 403),
        (format!("Origin: 127.0.0.1:{port}\r\n"), 403),
        ("Origin: null\r\n".to_owned(), 403),
        ("Origin:\r\n".to_owned(), 403),
        (
            format!("Origin: http://127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"),
            403,
        ),
        ("Sec-Fetch-Site: none\r\n".to_owned(), 200),
        ("Sec-Fetch-Site: same-origin\r\n".to_owned(), 200),
        ("Sec-Fetch-Site: same-site\r\n".to_owned(), 403),
        ("Sec-Fetch-Site: cross-site\r\n".to_owned(), 403),
        (
            "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n".to_owned(),
            403,
        ),
        ("Sec-Fetch-Site: x\r\n".to_owned(), 403),
    ] {
        let headers = format!("{header}{key}");
        let call = server.post("/rpc", &headers, STATUS);
        assert_eq!(server.ask_page(&call).status(), status, "{header}");
        let get = server.get("/health", &headers);
        assert_eq!(server.ask_page(&get).status(), status, "{header}");
        for response in [server.tcp().ask(&call), server.unix().ask(&call)] {
            assert_eq!(response.status(), 403, "{header}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn another_user_of_the_machine_gets_nothing_by_the_key_of_the_page() {
    let server = Served::new();
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can be somebody else; run the tests as root");
    }
    let (port, key) = server.page();
    for (request, unknown) in [
        (server.post("/rpc", &key, STATUS), 200),
        (server.get("/", ""), 200),
        (server.post("/rpc", "", STATUS), 403),
    ] {
        let request = request.replace(&format!(":{}", server.port), &format!(":{port}"));
        let asked = |uid| status(&asked_at(uid, port, &request));
        assert_eq!(asked(SOMEBODY_ELSE), 403, "{request}");
        assert_eq!(asked(OVERFLOW_UID), unknown, "{request}");
    }
}
