//! The tools as clients see them: a golden file, and what no schema may contain.

use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use crate::golden::is_as_written_down;
use crate::mcp::client::Client;
use crate::mcp::primary;

pub(crate) fn tools() -> Value {
    let session = || Session::local(primary());
    let mut client = Client::new(session, Place::Elsewhere, "2025-11-25", None);
    client.request("tools/list", json!({})).unwrap()
}

#[test]
fn the_tools_are_those_that_clients_depend_on() {
    is_as_written_down("tests/mcp/tools.json", &format!("{:#}\n", tools()));
}

#[test]
fn every_client_can_read_the_schemas() {
    let tools = tools();
    let tools = tools["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 10);
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        assert!(name.bytes().all(is_plain), "{name}");
        assert!(tool.get("outputSchema").is_none(), "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        portable(&tool["inputSchema"], name);
    }
}

/// Fails on what some client does not take: boolean schemas, lists of types,
/// formats, references, and names of fields that are not there.
fn portable(schema: &Value, path: &str) {
    let fields = schema
        .as_object()
        .unwrap_or_else(|| panic!("{path} is no object"));
    for (name, given) in fields {
        let path = format!("{path}.{name}");
        match &**name {
            "properties" => {
                for (field, schema) in given.as_object().unwrap() {
                    portable(schema, &format!("{path}.{field}"));
                }
            }
            "items" | "additionalProperties" => portable(given, &path),
            "anyOf" => {
                for schema in given.as_array().unwrap() {
                    portable(schema, &path);
                }
            }
            "required" => {
                for field in given.as_array().unwrap() {
                    let known = fields["properties"].get(field.as_str().unwrap());
                    assert!(known.is_some(), "{path}: no property {field}");
                }
            }
            "type" | "description" => assert!(given.is_string(), "{path}"),
            "enum" => {
                let words = given.as_array().unwrap();
                assert!(words.iter().all(Value::is_string), "{path}");
            }
            "minimum" | "maximum" => assert!(given.is_number(), "{path}"),
            _ => panic!("{path} may not be portable"),
        }
    }
}
