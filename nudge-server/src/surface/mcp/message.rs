//! One line as a message, or why it is none.

use std::borrow::Cow;

use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, ErrorData,
    GetExtensions, GetMeta, JsonRpcVersion2_0, Request, RequestId, RequestMetaObject,
};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::duplicate_keys::{DuplicateKey, Unique};

/// What a line is.
pub(super) enum Read {
    Message(Box<ClientJsonRpcMessage>),
    Nothing,
    Unreadable(ErrorData, Option<RequestId>),
}

/// Reads a line, and notes on a request what it gives twice.
pub(super) fn read(line: &[u8]) -> Read {
    if line.is_empty() {
        return Read::Nothing;
    }
    // Nearly every message is a call of a tool. rmcp tries all that a message
    // can be, one after the other, which takes longer than the call itself.
    if let Some(call) = tool_call(line) {
        return Read::Message(Box::new(call));
    }
    match serde_json::from_slice::<ClientJsonRpcMessage>(line) {
        Ok(mut message) => {
            if let ClientJsonRpcMessage::Request(request) = &mut message
                && let Some(duplicate) = DuplicateKey::find(line)
            {
                request.request.extensions_mut().insert(duplicate);
            }
            Read::Message(Box::new(message))
        }
        Err(error) => unreadable(line, &error),
    }
}

/// Whether a message begins a conversation. Until one has, rmcp takes nothing
/// but requests: a client may look around first, by `server/discover` or a ping.
pub(super) fn begins(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else {
        return false;
    };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other.get_meta().protocol_version().is_some(),
    }
}

/// A call of a tool, and nothing beside it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolCall {
    #[serde(rename = "jsonrpc")]
    _jsonrpc: JsonRpcVersion2_0,
    id: RequestId,
    #[serde(rename = "method")]
    _method: CallToolRequestMethod,
    params: ToolParams,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolParams {
    #[serde(rename = "_meta", default)]
    meta: Option<RequestMetaObject>,
    name: String,
    #[serde(default)]
    arguments: Option<Unique>,
}

/// A call of a tool that gives nothing twice.
fn tool_call(line: &[u8]) -> Option<ClientJsonRpcMessage> {
    let ToolCall { id, params, .. } = serde_json::from_slice(line).ok()?;
    let mut call = CallToolRequestParams::new(params.name);
    call.arguments = match params.arguments {
        None => None,
        Some(Unique(Value::Object(arguments))) => Some(arguments),
        Some(_) => return None,
    };
    let mut request = Request::new(call);
    if let Some(meta) = params.meta {
        request.extensions.insert(meta);
    }
    let request = ClientRequest::CallToolRequest(request);
    Some(ClientJsonRpcMessage::request(request, id))
}

/// A message, as far as it can be read without its params.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
}

/// An id that is there, be it `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn unreadable(line: &[u8], error: &serde_json::Error) -> Read {
    // Raw values are passed over without descending into them, so this reads
    // what is too deep as well.
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(line) else {
        let is_json = serde_json::from_slice::<&RawValue>(line).is_ok();
        return Read::Unreadable(
            if is_json {
                ErrorData::invalid_request("this is not a JSON-RPC message", None)
            } else {
                ErrorData::parse_error(format!("this is not JSON: {error}"), None)
            },
            None,
        );
    };
    let id = envelope
        .id
        .and_then(|id| serde_json::from_str::<RequestId>(id.get()).ok());
    match (envelope.method, id) {
        // A notification is not answered, whatever is wrong with it.
        (Some(_), None) if envelope.id.is_none() => Read::Nothing,
        (Some(method), Some(id)) => {
            let words = format!("the params of `{method}` cannot be read: {error}");
            Read::Unreadable(ErrorData::invalid_params(words, None), Some(id))
        }
        (_, id) => Read::Unreadable(
            ErrorData::invalid_request("this is not a JSON-RPC message", None),
            id,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> ClientRequest {
        match read(line.as_bytes()) {
            Read::Message(message) => match *message {
                ClientJsonRpcMessage::Request(request) => request.request,
                other => panic!("{other:?}"),
            },
            _ => panic!("{line} is no message"),
        }
    }

    #[test]
    fn a_call_that_is_read_by_itself_is_the_one_that_rmcp_reads() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":[1]}}}"#,
            r#"{"method":"tools/call","params":{"name":"a","_meta":{"progressToken":7}},"jsonrpc":"2.0","id":"x"}"#,
        ] {
            let ours = tool_call(line.as_bytes()).unwrap();
            let theirs: ClientJsonRpcMessage = serde_json::from_str(line).unwrap();
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
            assert_eq!(
                format!("{:?}", request(line).get_meta()),
                format!(
                    "{:?}",
                    match theirs {
                        ClientJsonRpcMessage::Request(request) =>
                            request.request.get_meta().clone(),
                        other => panic!("{other:?}"),
                    }
                )
            );
        }
    }

    #[test]
    fn what_is_given_twice_is_noted_on_the_request() {
        let note = |line: &str| request(line).extensions().get::<DuplicateKey>().cloned();
        let once = r#"{"jsonrpc":"2.0","id":1,"method":"nudge.bump","params":{"key":"a"}}"#;
        assert_eq!(note(once), None);
        let twice = once.replace(r#""key""#, r#""key":"b","key""#);
        assert_eq!(note(&twice), DuplicateKey::find(twice.as_bytes()));
        assert!(note(&twice).is_some());
    }

    #[test]
    fn a_look_around_begins_nothing() {
        let begins = |method: &str, params: &str| {
            let line =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            begins(&serde_json::from_str(&line).unwrap())
        };
        let meta = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
        assert!(!begins("server/discover", meta));
        assert!(!begins("ping", "{}"));
        assert!(!begins("tools/list", "{}"));
        assert!(begins("tools/list", meta));
        let opening = r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
        assert!(begins("initialize", opening));
    }
}
