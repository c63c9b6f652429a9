//! What a client is told: results, refusals, and misses that are answers.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, ContentBlock, CustomResult, ErrorCode, JsonObject, MetaObject, ProtocolVersion,
};
use serde_json::{Value, json};

use super::small::MISSES;
use crate::wire::Fault;

/// What an agent does that is not where its server is.
const ELSEWHERE: &str =
    "if you are in another folder, pass `context`: {\"cwd\": \"/absolute/folder\"}";

/// The result of a tool: structured, and the same as text for hosts that show text.
pub(super) fn result(answer: Value) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(answer.to_string())]);
    result.structured_content = Some(answer);
    result
}

/// A refusal, as a result that the model gets to read: hosts keep the code and
/// the data of a JSON-RPC error to themselves.
///
/// It has no structured content: that is for results.
pub(super) fn refusal(fault: &Fault) -> CallToolResult {
    let error = error(fault);
    let mut data = match error.data {
        Some(Value::Object(data)) => data,
        _ => JsonObject::new(),
    };
    let reason = data
        .get("reason")
        .and_then(Value::as_str)
        .unwrap_or("error");
    let text = format!("{reason} ({}): {}", error.code.0, error.message);
    data.insert("code".to_owned(), json!(error.code.0));
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.meta = Some(MetaObject(data));
    result
}

/// The answer to a get that found nothing; `None` when it was refused for
/// another reason. That nothing is known is what an agent asked, not a failure.
pub(super) fn miss(fault: &Fault, asked: &JsonObject) -> Option<Value> {
    let error = error(fault);
    if error.code.0 != nudge::ErrorKind::NotFound.code() {
        return None;
    }
    let (data, misses) = (error.data.unwrap_or_default(), MISSES.0);
    let mut answer = json!({
        "component": asked.get("component"),
        "key": asked.get("key"),
        "hint": null,
        "match_explain": {"matched": false, "score": 0.0, "reasons": []},
        misses: data.get(misses).cloned().unwrap_or_else(|| json!([])),
        "detail": data.get("detail").cloned().unwrap_or_else(|| json!("no_slot")),
        "message": error.message,
    });
    let context = asked.get("context");
    if context.and_then(|context| context.get("cwd")).is_none() {
        answer["elsewhere"] = json!(ELSEWHERE);
    }
    Some(answer)
}

/// The result of a raw method. The newest revision wants every result to say
/// that it is whole, and rmcp leaves custom ones alone.
pub(super) fn raw(mut result: Value, revision: Option<&ProtocolVersion>) -> CustomResult {
    let stateless = revision.is_some_and(|revision| *revision >= ProtocolVersion::V_2026_07_28);
    if stateless && let Some(result) = result.as_object_mut() {
        result.insert("resultType".to_owned(), json!("complete"));
    }
    CustomResult::new(result)
}

/// A fault as the error object of JSON-RPC, its code and data untouched.
pub(super) fn error(fault: &Fault) -> ErrorData {
    let read = serde_json::to_value(fault).and_then(serde_json::from_value);
    read.unwrap_or_else(|error| ErrorData::new(ErrorCode::INTERNAL_ERROR, error.to_string(), None))
}
