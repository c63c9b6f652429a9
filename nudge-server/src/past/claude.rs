//! Transcripts of Claude Code: a line for each message, in which a tool is used or answers.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Transcript, tell};
use crate::primary::past::PastEvent;

/// The tools of one that have not answered yet, by their ids: what a hook would have been told
/// of each, and the branch.
#[derive(Default)]
pub(super) struct Claude(HashMap<String, (Value, Value)>);

impl Transcript for Claude {
    fn read(&mut self, line: &Value, told: &mut Vec<PastEvent>) -> bool {
        let is_known = line["type"].is_string() && line["sessionId"].is_string();
        let blocks = line["message"]["content"].as_array();
        for block in blocks.into_iter().flatten().filter(|_| is_known) {
            if let (Some("tool_use"), Some(id)) = (block["type"].as_str(), block["id"].as_str()) {
                let hook = json!({"cwd": line["cwd"], "session_id": line["sessionId"],
                    "tool_name": block["name"], "tool_input": block["input"]});
                self.0
                    .insert(id.to_owned(), (hook, line["gitBranch"].clone()));
            } else if let Some(used) = block["tool_use_id"].as_str()
                && let Some((hook, branch)) = self.0.remove(used)
                && let Some(hook) = answered(hook, line, block)
            {
                tell("claude", &hook, &line["timestamp"], &branch, told);
            }
        }
        is_known
    }
}

/// What a hook would have been told of a tool that has answered.
fn answered(mut hook: Value, line: &Value, block: &Value) -> Option<Value> {
    let text = block["content"].get(0).map(|part| &part["text"]);
    let text = text.unwrap_or(&block["content"]);
    if block["is_error"] == true {
        // Any other failure is that it was never run, or not to its end.
        text.as_str().filter(|it| it.starts_with("Exit code "))?;
        hook["hook_event_name"] = "PostToolUseFailure".into();
        hook["error"] = text.clone();
    } else {
        hook["hook_event_name"] = "PostToolUse".into();
        hook["tool_response"] = line["toolUseResult"].clone();
    }
    Some(hook)
}
