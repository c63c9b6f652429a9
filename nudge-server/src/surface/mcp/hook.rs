//! The tool `nudge_on_event`: for hosts whose hooks call a tool instead of
//! starting a process.
//!
//! It can be called but is not listed, for it is nothing that a model should call.

use rmcp::model::{Implementation, JsonObject};
use serde_json::{Value, json};

/// The method that the tool calls.
pub(super) const METHOD: &str = "nudge.on_event";

/// The facts that a hook may state; others would be refused.
const FACTS: [&str; 6] = ["cwd", "repo", "branch", "os", "env", "files_open"];

/// An event as a host told it, and how it wants to be answered.
pub(super) struct Told {
    /// The params of the method.
    pub(super) params: JsonObject,
    /// What the host calls the event; absent where it speaks as the method does.
    event: Option<String>,
}

impl Told {
    /// Reads the arguments of a call, in the host's words or in the method's.
    ///
    /// A host's words say how a command ended: there is an event for those that
    /// worked and one for those that failed. What it fills in for a blank of its
    /// configuration is always a text.
    pub(super) fn read(mut params: JsonObject, client: Option<&Implementation>) -> Told {
        let event = params.get("event").and_then(Value::as_str);
        let (ours, ended) = match event {
            Some("SessionStart") => ("session_start", None),
            Some("UserPromptSubmit") => ("prompt", None),
            Some("PreToolUse") => ("before_command", None),
            Some("PostToolUse") => ("after_command", Some(true)),
            Some("PostToolUseFailure") => ("after_command", Some(false)),
            Some("SessionEnd") => ("session_end", None),
            _ => ("", None),
        };
        let event = event.filter(|_| !ours.is_empty()).map(str::to_owned);
        if event.is_some() {
            params.insert("event".to_owned(), json!(ours));
            let is_open = !params.contains_key("ok") && !params.contains_key("exit_code");
            if let Some(ok) = ended.filter(|_| is_open && !is_interrupted(&params)) {
                params.insert("ok".to_owned(), json!(ok));
            }
            if let Some(error) = params.remove("error") {
                params.entry("output").or_insert(error);
            }
        }
        if let Some(client) = client.filter(|client| !client.name.is_empty()) {
            params.entry("host").or_insert_with(|| json!(client.name));
        }
        params.insert("context".to_owned(), context(&params));
        Told { params, event }
    }

    /// The text that the host expects: what its own hooks would print, or the
    /// method's result.
    pub(super) fn answer(&self, result: String) -> String {
        let Some(event) = &self.event else {
            return result;
        };
        let result: Value = serde_json::from_str(&result).unwrap_or_default();
        match result.get("text") {
            Some(text) => {
                let output = json!({"hookEventName": event, "additionalContext": text});
                json!({"hookSpecificOutput": output}).to_string()
            }
            None => String::new(),
        }
    }
}

/// Whether a command was interrupted, which says nothing about it.
fn is_interrupted(params: &JsonObject) -> bool {
    let names = ["interrupted", "is_interrupt"];
    let given = names.iter().filter_map(|name| params.get(*name));
    given
        .into_iter()
        .any(|given| *given == json!(true) || *given == json!("true"))
}

/// The facts that are stated, beside the folder that a host states by itself.
fn context(params: &JsonObject) -> Value {
    let stated = params.get("context").and_then(Value::as_object);
    let mut context = stated.cloned().unwrap_or_default();
    context.retain(|name, _| FACTS.contains(&&**name));
    if let Some(cwd) = params.get("cwd").filter(|cwd| cwd.is_string()) {
        context.entry("cwd").or_insert_with(|| cwd.clone());
    }
    Value::Object(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(params: &Value) -> Told {
        let client = Implementation::new("claude-code", "2.1");
        Told::read(params.as_object().unwrap().clone(), Some(&client))
    }

    #[test]
    fn an_event_is_read_in_the_words_of_a_host() {
        let read = told(&json!({
            "event": "PostToolUseFailure", "command": "make", "error": "Exit code 1", "cwd": "/work", "session": "s"
        }));
        let expected = json!({
            "event": "after_command", "ok": false, "command": "make", "output": "Exit code 1", "cwd": "/work",
            "session": "s", "host": "claude-code", "context": {"cwd": "/work"}
        });
        assert_eq!(Value::Object(read.params), expected);
        assert_eq!(
            told(&json!({"event": "PostToolUse"})).params["ok"],
            json!(true)
        );
        for interrupted in [json!(true), json!("true")] {
            let event = json!({"event": "PostToolUseFailure", "is_interrupt": interrupted});
            assert!(!told(&event).params.contains_key("ok"));
        }
        let event = json!({"event": "PostToolUse", "exit_code": 2});
        assert!(!told(&event).params.contains_key("ok"));
    }

    #[test]
    fn an_event_in_our_words_is_left_as_it_is() {
        let event = json!({"event": "after_command", "ok": null, "host": "x", "context": {"branch": "dev", "colour": 1}});
        let read = told(&event);
        let expected = json!({"event": "after_command", "ok": null, "host": "x", "context": {"branch": "dev"}});
        assert_eq!(Value::Object(read.params.clone()), expected);
        assert_eq!(read.answer("{}".to_owned()), "{}");
    }

    #[test]
    fn a_host_is_answered_in_its_own_shape_or_not_at_all() {
        let read = told(&json!({"event": "PreToolUse"}));
        assert_eq!(read.answer("{}".to_owned()), "");
        let answer: Value =
            serde_json::from_str(&read.answer(r#"{"text":"a"}"#.to_owned())).unwrap();
        let expected = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "a"}});
        assert_eq!(answer, expected);
    }
}
