//! Transcripts of Codex: calls, what they returned, and how commands ended, each on a line.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Transcript, tell};
use crate::hook::{codex_ended, codex_header};
use crate::primary::past::PastEvent;

/// What has been read of one.
#[derive(Default)]
pub(super) struct Codex {
    session: Value,
    cwd: Value,
    branch: Value,
    calls: BTreeMap<String, Call>,
}

#[derive(Default)]
struct Call {
    /// What its hook would have been told of it.
    hook: Option<Value>,
    exit_code: Value,
    output: Value,
    /// When it had ended.
    at: Value,
}

impl Transcript for Codex {
    fn read(&mut self, line: &Value, _: &mut Vec<PastEvent>) -> bool {
        let payload = &line["payload"];
        match (line["type"].as_str(), payload["type"].as_str()) {
            (Some("session_meta"), _) => {
                self.session = payload["id"].clone();
                self.cwd = payload["cwd"].clone();
                self.branch = payload["git"]["branch"].clone();
            }
            (Some("turn_context"), _) if payload["cwd"].is_string() => {
                self.cwd = payload["cwd"].clone();
            }
            (Some("response_item"), Some(kind)) => self.take_item(kind, payload, line),
            _ => self.take_end(line),
        }
        self.session.is_string()
    }

    /// Tells of the calls that have ended.
    fn finish(self, told: &mut Vec<PastEvent>) {
        for call in self.calls.into_values() {
            if let Some(mut hook) = call.hook {
                let text = call.output.as_str().map(str::to_owned);
                let header = text.as_deref().and_then(codex_header);
                let code = header.filter(|_| call.exit_code.is_null());
                let code = code.map_or(call.exit_code, Into::into);
                hook["tool_response"] = if code.is_null() {
                    call.output
                } else {
                    json!({"output": call.output, "exit_code": code})
                };
                tell("codex", &hook, &call.at, &self.branch, told);
            }
        }
    }
}

impl Codex {
    /// Takes a call, or what one returned.
    fn take_item(&mut self, kind: &str, payload: &Value, line: &Value) {
        let Some(id) = payload["call_id"].as_str() else {
            return;
        };
        let hook = match (kind, payload["name"].as_str()) {
            ("function_call", Some("shell" | "shell_command" | "exec_command")) => {
                let given = payload["arguments"].as_str().unwrap_or_default();
                let given: Value = serde_json::from_str(given).unwrap_or_default();
                let command = given.get("command").unwrap_or(&given["cmd"]);
                self.command(command, &given["workdir"])
            }
            ("custom_tool_call", Some("apply_patch")) => {
                Some(self.hook("apply_patch", &json!({"command": payload["input"]})))
            }
            _ => None,
        };
        let call = self.calls.entry(id.to_owned()).or_default();
        call.hook = hook.or(call.hook.take());
        if kind.ends_with("_output") {
            call.output = payload["output"].clone();
            call.at = line["timestamp"].clone();
        }
    }

    /// Takes how a command ended, which may be told of nowhere else.
    fn take_end(&mut self, line: &Value) {
        let item = codex_ended(line);
        let Some((item, id)) = item.and_then(|item| Some((item, item["id"].as_str()?))) else {
            return;
        };
        let cwd = item["cwd"].as_str();
        let cwd = cwd.map(|cwd| cwd.trim_start_matches("file://"));
        let hook = self.command(&item["command"], &json!(cwd));
        let call = self.calls.entry(id.to_owned()).or_default();
        call.exit_code = item["exit_code"].clone();
        if call.hook.is_none() {
            call.hook = hook;
            call.output = item["aggregated_output"].clone();
            call.at = line["timestamp"].clone();
        }
    }

    /// The hook of a command, which is a text or a shell's words with one.
    fn command(&self, command: &Value, folder: &Value) -> Option<Value> {
        let text = match command.as_array().map(Vec::as_slice) {
            Some([_, flag, text]) if flag == "-lc" || flag == "-c" => text,
            _ => command,
        };
        let input = json!({"command": text.as_str()?, "workdir": folder});
        Some(self.hook("Bash", &input))
    }

    fn hook(&self, tool: &str, input: &Value) -> Value {
        json!({"hook_event_name": "PostToolUse", "session_id": self.session, "cwd": self.cwd,
            "tool_name": tool, "tool_input": input})
    }
}
