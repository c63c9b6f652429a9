//! JSON-RPC 2.0 to the letter.

use std::cell::RefCell;

use nudge::{Caller, Config};
use serde_json::{Value, json};

use nudge_server::primary::Primary;
use nudge_server::primary::call::call_into;
use nudge_server::primary::operations::Method;
use nudge_server::surface::rpc::Sent;
use nudge_server::wire::Fault;

/// The most calls in a batch.
const MAX_BATCH: usize = 100;

/// The response to a body, and the calls that it made.
fn heard(body: impl AsRef<[u8]>) -> (Option<Value>, Vec<(String, String)>) {
    let calls = RefCell::new(Vec::new());
    let response = Sent::read(body.as_ref()).answer(|method, params, response| {
        calls.borrow_mut().push((method.into(), params.into()));
        response.push(b'7');
        match method {
            "fail" => Err(Fault::Method("no".into())),
            _ => Ok(()),
        }
    });
    let response = response.map(|bytes| serde_json::from_slice(&bytes).unwrap());
    (response, calls.into_inner())
}

fn response(body: impl AsRef<[u8]>) -> Value {
    heard(body).0.unwrap()
}

/// The code and the id of a refusal.
fn refused(body: impl AsRef<[u8]>) -> (i64, Value) {
    let (response, calls) = heard(body);
    assert_eq!(calls, [], "a refused request was called");
    let response = response.unwrap();
    assert_eq!(response["jsonrpc"], "2.0");
    assert!(response.get("result").is_none());
    assert!(!response["error"]["message"].as_str().unwrap().is_empty());
    let code = response["error"]["code"].as_i64().unwrap();
    (code, response["id"].clone())
}

#[test]
fn an_id_of_any_kind_comes_back_as_it_was() {
    for id in [
        "1",
        "0",
        "-1",
        "null",
        "\"\"",
        "\"a\"",
        r#""\u0061\n😀""#,
        "1.5",
        "1e3",
        "-0.0",
        "18446744073709551616",
        "123456789012345678901234567890.123456789",
        "1e999",
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"m","id": {id} }}"#);
        let bytes = Sent::read(body.as_bytes()).answer(|_, _, response| {
            response.push(b'7');
            Ok(())
        });
        let expected = format!(r#"{{"jsonrpc":"2.0","result":7,"id":{id}}}"#);
        assert_eq!(String::from_utf8(bytes.unwrap()).unwrap(), expected);
    }
    for id in ["true", "false", "[]", "[1]", "{}"] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"m","id":{id}}}"#);
        assert_eq!(refused(body), (-32600, Value::Null), "{id}");
    }
}

#[test]
fn a_notification_is_carried_out_and_not_answered() {
    for method in ["m", "fail"] {
        let (response, calls) = heard(json!({"jsonrpc": "2.0", "method": method}).to_string());
        assert_eq!((response, calls.len()), (None, 1));
    }
}

#[test]
fn a_batch_is_answered_in_one_array_without_its_notifications() {
    let request = |id: usize| json!({"jsonrpc": "2.0", "method": "m", "id": id});
    let batch = |count: usize| (0..count).map(request).collect::<Value>().to_string();
    let ids = |response: &Value| -> Vec<Value> {
        let responses = response.as_array().unwrap().iter();
        responses.map(|response| response["id"].clone()).collect()
    };
    assert_eq!(refused(batch(0)), (-32600, Value::Null));
    assert_eq!(ids(&response(batch(1))), [json!(0)]);
    assert_eq!(ids(&response(batch(MAX_BATCH))).len(), MAX_BATCH);
    assert_eq!(refused(batch(MAX_BATCH + 1)), (-32600, Value::Null));

    let notification = json!({"jsonrpc": "2.0", "method": "m"});
    let mixed = json!([request(1), notification, 5, [], {"id": 6}, request(2), {"jsonrpc": "2.0", "method": "fail", "id": 3}]);
    let (mixed, calls) = heard(mixed.to_string());
    let mixed = mixed.unwrap();
    assert_eq!(calls.len(), 4);
    assert_eq!(json!(ids(&mixed)), json!([1, null, null, 6, 2, 3]));
    assert_eq!(mixed[0]["result"], 7);
    assert_eq!(mixed[1]["error"]["code"], -32600);
    assert_eq!(mixed[5]["error"]["code"], -32601);

    let (response, calls) = heard(json!([notification, notification]).to_string());
    assert_eq!((response, calls.len()), (None, 2));
}

#[test]
fn what_is_no_json_is_a_parse_error() {
    let deep = "[".repeat(100_000);
    for body in [
        &b""[..],
        b" \n",
        b"{",
        b"hello",
        b"{'jsonrpc':'2.0'}",
        br#"{"jsonrpc":"2.0","method":"m","id":1"#,
        br#"{"jsonrpc":"2.0","method":"m","id":1,}"#,
        br#"{"jsonrpc":"2.0","method":"m","id":1} x"#,
        br#"{"jsonrpc":"2.0","method":"m","id":01}"#,
        br#"{"jsonrpc":"2.0","method":"m","id":NaN}"#,
        br#"[{"jsonrpc":"2.0","method":"m","id":1},"#,
        b"{\"jsonrpc\":\"2.0\",\"method\":\"m\xff\",\"id\":1}",
        b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"m\0\",\"id\":1}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}\0",
        b"\0",
        deep.as_bytes(),
    ] {
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]);
        assert_eq!(refused(body), (-32700, Value::Null), "{shown}");
    }
}

#[test]
fn json_of_another_shape_is_no_request_and_keeps_its_id() {
    let deep = format!("[{}{}]", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(response(deep)[0]["error"]["code"], -32600);
    for body in [
        "1",
        "\"m\"",
        "null",
        "{}",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#,
        r#"{"jsonrpc":"2.0","method":"m","params":1}"#,
        r#"{"jsonrpc":"2.0","method":"m","id":1,"id":2}"#,
    ] {
        assert_eq!(refused(body), (-32600, Value::Null), "{body}");
    }
    for body in [
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"method":"m","id":1}"#,
        r#"{"jsonrpc":"1.0","method":"m","id":1}"#,
        r#"{"jsonrpc":2.0,"method":"m","id":1}"#,
        r#"{"jsonrpc":"2.0","method":null,"id":1}"#,
        r#"{"jsonrpc":"2.0","method":"m","params":"bar","id":1}"#,
        r#"{"jsonrpc":"2.0","method":"m","params":true,"id":1}"#,
        r#"{"jsonrpc":"2.0","method":"m","method":"n","id":1}"#,
        r#"{"jsonrpc":"2.0","method":"m","\u006dethod":"n","id":1}"#,
        r#"{"jsonrpc":"2.0","method":"\ud800","id":1}"#,
    ] {
        assert_eq!(refused(body), (-32600, json!(1)), "{body}");
    }
    // The fields of a request in their order are no request either.
    let listed = response(r#"[["2.0","m",{},1]]"#);
    assert_eq!(listed[0]["error"]["code"], -32600);
}

#[test]
fn params_reach_the_method_as_they_were_sent() {
    for (sent, params) in [
        ("", "{}"),
        (r#","params":null"#, "{}"),
        (r#","params": {"a" : 1e999} "#, r#"{"a" : 1e999}"#),
        (r#","params":[1, 2]"#, "[1, 2]"),
    ] {
        let body = format!(r#" {{"jsonrpc":"2.0","method":"\u006d"{sent},"id":1}}"#);
        let (_, calls) = heard(body);
        assert_eq!(calls, [("m".to_owned(), params.to_owned())]);
    }
}

#[test]
fn a_method_is_found_by_its_whole_name_and_takes_params_by_name() {
    let primary = Primary::with_system_clock(Config::default(), 0);
    let code = |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1});
        let body = body.to_string();
        let response = Sent::read(body.as_bytes()).answer(|method, params, response| {
            let method = Method::named(method)?;
            call_into(&primary, &Caller::user(), method, params, response)
        });
        let response: Value = serde_json::from_slice(&response.unwrap()).unwrap();
        response["error"]["code"].as_i64().unwrap_or_default()
    };
    assert_eq!(code("nudge.query", json!({})), 0);
    for unknown in [
        "query",
        "nudge.",
        "nudge.Query",
        "nudge.query ",
        "",
        "discover",
    ] {
        assert_eq!(code(unknown, json!({})), -32601, "{unknown}");
    }
    for name in ["query", "get_hint", "status", "stop"] {
        let method = format!("nudge.{name}");
        assert_eq!(code(&method, json!([])), -32602, "{name}");
        assert_eq!(code(&method, json!({"nope": 1})), 40001, "{name}");
    }
    assert_eq!(code("nudge.nope", json!([])), -32601);
    assert!(!*primary.stopped().borrow());
    assert_eq!(code("nudge.stop", json!({})), 0);
    assert!(*primary.stopped().borrow());
}
