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
        let at = chrono::DateTime::from_timestamp_millis(at).map(|at| at.to_rfc3339());
        let data: Value = serde_json::from_str(&data).unwrap_or_default();
        let (state, input) = (&data["state"], &data["state"]["input"]);
        // What our plugin would have told of it.
        let hook = json!({"event": "after_command", "session": session, "tool": data["tool"], "cwd": cwd,
            "workdir": input["workdir"], "command": input["command"], "file": input["filePath"],
            "exit": state["metadata"]["exit"], "output": state["output"]});
        tell(
            "opencode",
            &hook,
            &json!(at),
            &Value::Null,
            &mut reading.told,
        );
    }
}
