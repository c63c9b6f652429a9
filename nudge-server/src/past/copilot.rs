//! Transcripts of Copilot CLI: an event on a line; what a tool was given stands where it starts,
//! and what it returned where it ends.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Transcript, tell};
use crate::primary::past::PastEvent;

#[derive(Default)]
pub(super) struct Copilot {
    session: Value,
    cwd: Value,
    branch: Value,
    /// The tools that are under way and what they were given, by the ids of their calls.
    begun: HashMap<String, (Value, Value)>,
}

impl Transcript for Copilot {
    fn read(&mut self, line: &Value, told: &mut Vec<PastEvent>) -> bool {
        let data = &line["data"];
        let call = data["toolCallId"].as_str().unwrap_or_default();
        match line["type"].as_str() {
            Some("session.start" | "session.resume") => {
                self.session = data["sessionId"].clone();
                self.cwd = data["context"]["cwd"].clone();
                self.branch = data["context"]["branch"].clone();
            }
            Some("tool.execution_start") => {
                let given = (data["toolName"].clone(), data["arguments"].clone());
                self.begun.insert(call.to_owned(), given);
            }
            Some("tool.execution_complete") => {
                let (tool, given) = self.begun.remove(call).unwrap_or_default();
                let is_done = data["success"] == true;
                let result = json!({"textResultForLlm": data["result"]["content"],
                    "resultType": if is_done { "success" } else { "failure" }});
                let hook = json!({"hookEventName": "postToolUse", "sessionId": self.session, "cwd": self.cwd,
                    "toolName": tool, "toolArgs": given, "toolResult": result});
                tell("copilot", &hook, &line["timestamp"], &self.branch, told);
            }
            _ => {}
        }
        self.session.is_string()
    }
}
