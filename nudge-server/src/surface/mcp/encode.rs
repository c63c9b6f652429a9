//! A message as one line.

use rmcp::model::{JsonRpcMessage, ServerJsonRpcMessage, ServerResult};

use super::reply;

/// What a usual answer has room in.
const USUAL: usize = 2048;

/// How rmcp ends the response to a call of a tool: with its result.
const END: &[u8] = b"}}";

/// Writes a message with the end of its line.
pub(super) fn encode(message: &ServerJsonRpcMessage) -> serde_json::Result<Vec<u8>> {
    let mut line = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut line, message)?;
    // What rmcp has no type for: structured content that is text already.
    if let JsonRpcMessage::Response(response) = message
        && let ServerResult::CallToolResult(result) = &response.result
        && let Some(structured) = reply::structured(result)
        && line.ends_with(END)
    {
        line.truncate(line.len() - END.len());
        for part in [br#","structuredContent":"#, structured.as_bytes(), END] {
            line.extend_from_slice(part);
        }
    }
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use rmcp::model::{CallToolResult, RequestId, ResultType};
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
