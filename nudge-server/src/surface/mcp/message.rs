//! One line as a message, or why it is none.

use std::borrow::Cow;

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetExtensions, GetMeta, RequestId,
};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::duplicate_keys::DuplicateKey;

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
