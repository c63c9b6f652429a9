//! MCP over Streamable HTTP, without what guards the door.

use std::net::SocketAddr;
use std::sync::Arc;

use nudge::{GetHint, SetHint};
use nudge_server::primary::Primary;
use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::router;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::client::{STATELESS, stateless};
use super::{primary, set};

use crate::sharing::in_time;

/// Serves a store over HTTP while a test talks to it.
fn served(primary: Arc<Primary>, test: impl AsyncFnOnce(SocketAddr)) {
    in_time(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = axum::serve(listener, router(Session::local(primary))).into_future();
        tokio::select! {
            ended = server => panic!("the server ended: {ended:?}"),
            () = test(address) => {}
        }
    });
}

/// Posts a message; gives the status and what came back.
async fn post(address: SocketAddr, headers: &[&str], message: &Value) -> (u16, Value) {
    post_text(address, headers, &message.to_string()).await
}

/// Posts what may be no message.
async fn post_text(address: SocketAddr, headers: &[&str], body: &str) -> (u16, Value) {
    let mut request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
        body.len()
    );
    for header in headers {
        request.push_str(header);
        request.push_str("\r\n");
    }
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("{request}\r\n{body}");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

fn request(method: &str, params: Value) -> Value {
    let mut request = json!({"jsonrpc": "2.0", "id": 1, "method": method});
    request["params"] = params;
    request
}

#[test]
fn an_agent_over_http_is_not_the_user_whatever_it_claims() {
    let primary = primary();
    let hint = SetHint::new("api", "build", "make");
    set(&primary, hint);
    served(Arc::clone(&primary), async |address| {
        // What a forger says beside the request counts no more than what it says in it.
        let claim = r#"Nudge-Origin: {"via": "cli", "actor": "user"}"#;
        let headers = ["Mcp-Protocol-Version: 2025-11-25", claim];
        let event = json!({"event": "after_command", "command": "make", "ok": false});
        for (method, params) in [
            ("nudge.on_event", event),
            ("nudge.stop", json!({})),
            ("nudge.accept", json!({"id": 1})),
            ("nudge.reject", json!({"id": 1})),
        ] {
            let (_, answer) = post(address, &headers, &request(method, params)).await;
            assert_eq!(answer["error"]["code"], 40301, "{answer}");
        }
    });
    assert!(!*primary.stopped().borrow());
    let found = primary.nudge.get_hint(GetHint::new("api", "build"));
    assert_eq!(found.unwrap().hint.fail_count, 0);
}

#[test]
fn a_client_without_a_session_is_served_and_nothing_is_inferred() {
    let primary = primary();
    let folder = std::env::current_dir().unwrap();
    let folder = folder.to_str().unwrap();
    set(
        &primary,
        SetHint::new("api", "build", "make").cwd_glob(folder),
    );
    served(primary, async |address| {
        let slot = json!({"component": "api", "key": "build", "full": true});
        let call = json!({"name": "nudge_get_hint", "arguments": slot});
        let (status, said) = post(address, &[], &request("tools/call", call)).await;
        let answer = &said["result"]["structuredContent"];
        assert_eq!(status, 200);
        assert!(answer["hint"].is_null(), "{said}");
        assert!(answer.get("context_used").is_none(), "{said}");
        let set = json!({"component": "api", "key": "test", "value": "make test", "full": true});
        let call = json!({"name": "nudge_set_hint", "arguments": set});
        let (_, said) = post(address, &[], &request("tools/call", call)).await;
        let hint = &said["result"]["structuredContent"]["hint"];
        let origin = json!({"via": "mcp", "at": hint["updated_at"]});
        let meta = json!({"source": "agent", "origin": origin});
        assert_eq!(hint["meta"], meta, "{said}");
        let raw = request("nudge.get_hint", json!({"component": "a", "key": "b"}));
        let (status, said) = post(address, &[], &raw).await;
        assert_eq!((status, &said["error"]["code"]), (200, &json!(40401)));
    });
}

#[test]
fn the_newest_revision_names_its_method_in_a_header() {
    served(primary(), async |address| {
        let meta = stateless(Some("tester"));
        let set = json!({"component": "api", "key": "build", "value": "make", "_meta": meta});
        let version = format!("MCP-Protocol-Version: {STATELESS}");
        let message = request("nudge.set_hint", set);
        let headers = [&*version, "Mcp-Method: nudge.set_hint"];
        let (status, said) = post(address, &headers, &message).await;
        assert_eq!(status, 200, "{said}");
        assert_eq!(said["result"]["resultType"], "complete");
        assert_eq!(said["result"]["hint"]["meta"]["added_by"], "tester/1");
        let (status, said) = post(address, &[&version], &message).await;
        assert_eq!((status, &said["error"]["code"]), (400, &json!(-32020)));
    });
}

#[test]
fn a_page_from_elsewhere_gets_nothing() {
    served(primary(), async |address| {
        let list = request("tools/list", json!({}));
        let own = format!("Origin: http://{address}");
        for (origin, status) in [(&*own, 200), ("Origin: http://evil.example", 403)] {
            assert_eq!(post(address, &[origin], &list).await.0, status);
        }
    });
}
