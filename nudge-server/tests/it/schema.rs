//! The tools as clients see them: that they take what their operations do, and what no schema
//! may contain.

mod made;

use std::fs;

use nudge::Operation;
use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use crate::conformance::file;
use crate::golden::is_as_written_down;
use crate::mcp::client::Client;
use crate::mcp::primary;

pub(crate) fn tools() -> Value {
    let session = || Session::local(primary());
    let mut client = Client::new(session, Place::Elsewhere, "2025-11-25", None);
    client.request("tools/list", json!({})).unwrap()
}

/// What is listed stands in a file, words and all; the schemas in it are those of the operations.
#[test]
fn the_tools_take_what_their_operations_do() {
    let path = "nudge-server/src/surface/mcp/tools.json";
    let listed = fs::read_to_string(file(path)).unwrap();
    let mut listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    let of = |tool: &Value| Operation::named(&tool["name"].as_str()?.replace("nudge_", "nudge."));
    let operations: Vec<Operation> = listed.iter().filter_map(of).collect();
    for (tool, schema) in listed.iter_mut().zip(made::schemas(&operations)) {
        tool["inputSchema"] = schema;
    }
    assert_eq!(tools()["tools"], json!(listed[..operations.len()]));
    is_as_written_down(path, &format!("{:#}\n", json!(listed)));
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
