//! A message as one line.

use rmcp::model::{
    CallToolResult, ContentBlock, JsonRpcMessage, MetaObject, RequestId, ResultType,
    ServerJsonRpcMessage, ServerResult,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::reply;

/// What a usual answer has room in.
const USUAL: usize = 2048;

/// The response to a call of a tool, with what rmcp has no type for: structured
/// content that is text already.
#[derive(Serialize)]
struct Response<'a> {
    jsonrpc: &'static str,
    id: &'a RequestId,
    result: ToolResult<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'a ResultType>,
    content: &'a [ContentBlock],
    structured_content: &'a RawValue,
    is_error: Option<bool>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a MetaObject>,
}

impl<'a> ToolResult<'a> {
    fn of(result: &'a CallToolResult) -> Option<ToolResult<'a>> {
        Some(ToolResult {
            structured_content: reply::structured(result)?,
            result_type: result.result_type.as_ref(),
            content: &result.content,
            is_error: result.is_error,
            meta: result.meta.as_ref(),
        })
    }
}

/// Writes a message with the end of its line.
pub(super) fn encode(message: &ServerJsonRpcMessage) -> serde_json::Result<Vec<u8>> {
    let mut line = Vec::with_capacity(USUAL);
    if let JsonRpcMessage::Response(response) = message
        && let ServerResult::CallToolResult(result) = &response.result
        && let Some(result) = ToolResult::of(result)
    {
        let response = Response {
            jsonrpc: "2.0",
            id: &response.id,
            result,
        };
        serde_json::to_writer(&mut line, &response)?;
    } else {
        serde_json::to_writer(&mut line, message)?;
    }
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_result_is_written_as_rmcp_writes_it() {
        let text = || r#"{"b":1,"a":{"c":[null]}}"#.to_owned();
        let read = |result: CallToolResult| -> Value {
            let result = ServerResult::CallToolResult(result);
            let message = ServerJsonRpcMessage::response(result, RequestId::Number(7));
            let line = encode(&message).unwrap();
            assert_eq!(
                line.iter().position(|byte| *byte == b'\n'),
                Some(line.len() - 1)
            );
            serde_json::from_slice(&line).unwrap()
        };
        for kind in [None, Some(ResultType::COMPLETE)] {
            let (mut ours, mut theirs) = (reply::plain_result(text()), reply::result(text()));
            ours.result_type.clone_from(&kind);
            theirs.result_type = kind;
            assert_eq!(read(ours), read(theirs));
        }
        let refusal = || reply::refusal(&crate::wire::Fault::Params);
        assert!(read(refusal())["result"].get("structuredContent").is_none());
    }
}
