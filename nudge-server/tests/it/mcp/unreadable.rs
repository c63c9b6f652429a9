//! What is no message, and what ends before it begins.

use serde_json::{Value, json};

use super::{client, silent};

#[test]
fn an_end_before_the_beginning_is_a_clean_end() {
    silent().end().unwrap();
    let mut client = silent();
    client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.end().unwrap();
}

#[test]
fn what_cannot_be_read_is_refused_and_the_next_call_is_served() {
    let mut client = client();
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let call = |arguments: &str| {
        let params = format!(r#"{{"name":"nudge_import","arguments":{arguments}}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{params}}}"#)
    };
    for (line, code, id) in [
        (
            call(&format!(r#"{{"payload":{deep}}}"#)),
            -32602,
            json!("x"),
        ),
        (call(r#"{"payload":1e999}"#), -32602, json!("x")),
        ("{not json".to_owned(), -32700, Value::Null),
        ("[]".to_owned(), -32600, Value::Null),
        (r#"{"id":7}"#.to_owned(), -32600, json!(7)),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"nudge.status"}"#.to_owned(),
            -32600,
            Value::Null,
        ),
    ] {
        client.say(&line);
        let said = client.hear().unwrap();
        assert_eq!(
            (&said["error"]["code"], &said["id"]),
            (&json!(code), &id),
            "{said}"
        );
    }
    client.say("");
    client.say(r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}"#);
    assert_eq!(
        client.call("nudge_query", json!({}))["structuredContent"]["total"],
        0
    );
}

#[test]
fn what_is_given_twice_is_refused_and_nothing_is_stored() {
    let mut client = client();
    let arguments = r#"{"component":"api","key":"build","value":"a","value":"b"}"#;
    for (method, params) in [
        (
            "tools/call",
            format!(r#"{{"name":"nudge_set_hint","arguments":{arguments}}}"#),
        ),
        ("nudge.set_hint", arguments.to_owned()),
    ] {
        client.say(&format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{params}}}"#
        ));
        let said = client.hear().unwrap();
        let (code, data) = if method == "tools/call" {
            let result = &said["result"];
            assert_eq!(result["isError"], true, "{said}");
            let text = result["content"][0]["text"].as_str().unwrap();
            assert_eq!(
                text,
                "E_INVALID (40001): `value` is given twice; give it once"
            );
            (&result["_meta"]["code"], &result["_meta"])
        } else {
            (&said["error"]["code"], &said["error"]["data"])
        };
        assert_eq!((code, &data["field"]), (&json!(40001), &json!("value")));
        assert_eq!(data["detail"], "duplicate_field");
    }
    client.say(r#"{"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":"nudge_query","name":"nudge_query"}}"#);
    assert_eq!(client.hear().unwrap()["error"]["code"], 40001);
    assert_eq!(
        client.call("nudge_query", json!({}))["structuredContent"]["total"],
        0
    );
}
