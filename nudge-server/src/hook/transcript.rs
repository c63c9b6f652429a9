//! How a command of Codex ended: its hooks are not told, but its transcript says it
//! by the time that they run.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use nudge_client::folder::file::open;
use serde_json::Value;

use super::path::text;

/// How much of a transcript is looked at, from its end.
const TAIL: u64 = 64 * 1024;

/// The status of the call that an event is about, if the transcript tells it.
pub(super) fn exit_code(told: &Value) -> Option<i64> {
    let id = text(told, &["tool_use_id"])?;
    let path = text(told, &["transcript_path"])?;
    let tail = tail(Path::new(&path)).ok()?;
    let mut lines = tail.rsplit(|byte| *byte == b'\n');
    lines.find_map(|line| status(line, &id))
}

fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path, OpenOptions::new().read(true))?;
    let start = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The status on a line that says how this call ended.
fn status(line: &[u8], id: &str) -> Option<i64> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let item = ended(&line).filter(|item| item["id"] == id)?;
    item["exit_code"].as_i64()
}

/// What a line of a transcript of Codex says of a command that has ended, if it says that.
pub(crate) fn ended(line: &Value) -> Option<&Value> {
    let (payload, item) = (&line["payload"], &line["payload"]["item"]);
    let is_end = line["type"] == "event_msg" && payload["type"] == "item_completed";
    let is_command = item["type"] == "CommandExecution";
    let has_ended = item["status"] == "completed" || item["status"] == "failed";
    (is_end && is_command && has_ended).then_some(item)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    fn ended(id: &str, status: &str, code: &Value) -> String {
        let item =
            json!({"type": "CommandExecution", "id": id, "status": status, "exit_code": code});
        let payload = json!({"type": "item_completed", "turn_id": "t1", "item": item});
        json!({"timestamp": "x", "type": "event_msg", "payload": payload}).to_string()
    }

    fn told(path: impl Into<PathBuf>) -> Value {
        json!({"tool_use_id": "call_1", "transcript_path": path.into()})
    }

    #[test]
    fn a_transcript_says_how_this_call_ended_or_nothing() {
        let call = |status: &str, code: Value| ended("call_1", status, &code);
        let failed = call("failed", json!(2));
        let nested = "[".repeat(40_000);
        for (text, code) in [
            (String::new(), None),
            (failed.clone(), Some(2)),
            (call("completed", json!(0)) + "\n", Some(0)),
            // The last word counts.
            (
                format!("{failed}\n{}", call("completed", json!(0))),
                Some(0),
            ),
            (
                format!(
                    "{failed}\n{}\nno JSON",
                    ended("call_2", "failed", &json!(1))
                ),
                Some(2),
            ),
            (
                format!("{failed}\n{nested}\n{{\"type\": \"event_msg\"}}\n\n"),
                Some(2),
            ),
            (call("in_progress", json!(0)), None),
            (call("declined", json!(1)), None),
            (call("failed", json!("2")), None),
            (call("failed", Value::Null), None),
            (failed.replace("item_completed", "item_started"), None),
            (failed.replace("CommandExecution", "McpToolCall"), None),
            (failed.replace("event_msg", "response_item"), None),
            // What a command printed is in a string, and is no line.
            (
                json!({"type": "event_msg", "output": failed}).to_string(),
                None,
            ),
            (failed.replace("call_1", "call_11"), None),
            // Further back than is looked at.
            (format!("{failed}\n{}", "x".repeat(64 * 1024)), None),
            (format!("{}\n{failed}\n", "x".repeat(1024 * 1024)), Some(2)),
        ] {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("rollout.jsonl");
            fs::write(&path, &text).unwrap();
            let shown: String = text.chars().take(300).collect();
            assert_eq!(exit_code(&told(&path)), code, "{shown}");
        }
    }

    #[test]
    fn what_is_no_plain_file_is_neither_followed_nor_waited_for() {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("real"), ended("call_1", "failed", &json!(2))).unwrap();
        symlink(path("real"), path("link")).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, path("fifo"), kind, mode, 0).unwrap();
        assert_eq!(exit_code(&told(path("real"))), Some(2));
        for name in ["link", "fifo", "missing", "."] {
            assert_eq!(exit_code(&told(path(name))), None, "{name}");
        }
        for other in [
            json!({"transcript_path": path("real")}),
            json!({"tool_use_id": "call_1", "transcript_path": null}),
            json!({"tool_use_id": "call_1", "transcript_path": "/dev/zero"}),
        ] {
            assert_eq!(exit_code(&other), None, "{other}");
        }
    }
}
