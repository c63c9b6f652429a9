//! The sessions of `OpenCode`: a row for each tool that was used, as JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::{Reading, tell};

/// The newest uses that are read, and the longest of them.
const USES: u32 = 20_000;
const USE: u32 = 256 * 1024;

pub(super) fn read(path: &Path, reading: &mut Reading) {
    let tools = reading.rows(path, |sessions| sessions.opencode_tools(USES, USE));
    for (at, data, cwd, session) in tools {
        let told = event((&data, &cwd, &session));
        let at = chrono::DateTime::from_timestamp_millis(at).map(|at| at.to_rfc3339());
        if let Some(told) = told {
            tell(
                "opencode",
                &told,
                &json!(at),
                &Value::Null,
                &mut reading.told,
            );
        }
    }
}

/// What our plugin would have told of a tool.
fn event((data, cwd, session): (&str, &str, &str)) -> Option<Value> {
    let data: Value = serde_json::from_str(data).ok()?;
    let (tool, state) = (&data["tool"], &data["state"]);
    let input = &state["input"];
    Some(
        json!({"event": "after_command", "session": session, "tool": tool, "cwd": cwd,
        "workdir": input["workdir"], "command": input["command"], "file": input["filePath"],
        "exit": state["metadata"]["exit"], "output": state["output"]}),
    )
}
