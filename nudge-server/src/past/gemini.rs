//! Transcripts of Gemini CLI: a message on a line, with the tools that it called and how they
//! ended; written again where something is added to it. Its folder stands in a file beside them.

use std::path::Path;

use nudge_client::folder::file::read;
use serde_json::{Value, json};

use super::{Transcript, tell};
use crate::primary::past::PastEvent;

/// The longest path of a folder.
const FOLDER: u64 = 4096;

#[derive(Default)]
pub(super) struct Gemini {
    session: Value,
    cwd: Value,
}

impl Transcript for Gemini {
    fn at(path: &Path) -> Gemini {
        let folder = path.parent().and_then(Path::parent);
        let cwd = folder.and_then(|folder| read(&folder.join(".project_root"), FOLDER).ok());
        let cwd = cwd.and_then(|cwd| String::from_utf8(cwd).ok());
        Gemini {
            session: Value::Null,
            cwd: json!(cwd.as_deref().map(str::trim)),
        }
    }

    fn read(&mut self, line: &Value, told: &mut Vec<PastEvent>) -> bool {
        if line["projectHash"].is_string() {
            self.session = line["sessionId"].clone();
        }
        for call in line["toolCalls"].as_array().into_iter().flatten() {
            let seen = &call["result"][0]["functionResponse"]["response"]["output"];
            let hook = json!({"hook_event_name": "AfterTool", "session_id": self.session, "cwd": self.cwd,
                "tool_name": call["name"], "tool_input": call["args"],
                "tool_response": {"llmContent": seen, "returnDisplay": call["resultDisplay"]}});
            tell("gemini", &hook, &call["timestamp"], &Value::Null, told);
        }
        self.session.is_string()
    }
}
