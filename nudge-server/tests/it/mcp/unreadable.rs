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
    let nobody = r#"{"jsonrpc":"2.0","id":null,"method":"nudge.status"}"#;
    for (line, code, id) in [
        (
            &*call(&format!(r#"{{"payload":{deep}}}"#)),
            -32602,
            json!("x"),
        ),
        (&call(r#"{"payload":1e999}"#), -32602, json!("x")),
        ("{not json", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        (r#"{"id":7}"#, -32600, json!(7)),
        (nobody, -32600, Value::Null),
    ] {
        client.say(line);
        let said = client.hear().unwrap();
        assert_eq!(said["error"]["code"], code, "{said}");
        assert_eq!(said["id"], id, "{said}");
    }
    client.say("");
    client.say(r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}"#);
    let found = client.call("nudge_query", json!({}));
    assert_eq!(found["structuredContent"]["total"], 0);
}
