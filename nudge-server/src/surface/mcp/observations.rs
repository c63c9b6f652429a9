//! The two tools that tell what happened. Their answers are lines, not objects: a model pays for every word.

use chrono::Utc;
use nudge::Age;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::tools::as_method;
use crate::primary::operations::{Method, ServerOperation};

/// The most characters of an answer to a search: 700 tokens of three bytes and a little.
const ROOM: usize = 2_200;

/// The most of any other answer: hosts cut what is longer than 8,000.
const ROOM_OF_ALL: usize = 7_000;

/// What the names of methods begin with.
const PREFIX: &str = "nudge.";

/// The method that a call of one of the tools means; `None` for another tool.
pub(super) fn method(tool: &str, params: &JsonObject) -> Option<Method> {
    let has = |field: &&(&str, ServerOperation)| params.contains_key(field.0);
    let by_field = [
        ("ids", ServerOperation::GetObservations),
        ("anchor", ServerOperation::GetTimeline),
        ("session_id", ServerOperation::SessionTrace),
        ("file_path", ServerOperation::FileHistory),
        ("text", ServerOperation::Fix),
    ];
    let method = as_method(tool);
    let operation = match method.trim_start_matches(PREFIX) {
        "search" => ServerOperation::Search,
        "observations" => {
            let chosen = by_field.iter().find(has);
            chosen.map_or(ServerOperation::RecentContext, |(_, operation)| *operation)
        }
        _ => return None,
    };
    Some(operation.into())
}

/// An answer in lines, as far as there is room.
pub(super) fn in_lines(method: Method, full: &Value) -> Value {
    let now = Utc::now().timestamp();
    let lines = |list: &Value| -> Vec<String> {
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|one| line(one, now)).collect()
    };
    let is_search = method == ServerOperation::Search.into();
    let mut said: Vec<String> = Vec::new();
    for part in ["before", "anchor", "after", "observations"] {
        match &full[part] {
            one @ Value::Object(_) => said.push(format!("> {}", line(one, now))),
            list => said.extend(lines(list)),
        }
    }
    let below = |list: &Value| lines(list).into_iter().map(|line| format!("  {line}"));
    for prompt in full["prompts"].as_array().into_iter().flatten() {
        said.push(line(prompt, now));
        said.extend(below(&prompt["observations"]));
    }
    for session in full["sessions"].as_array().into_iter().flatten() {
        said.push(format!("session {}", text(&session["session_id"])));
        said.extend(below(&session["touches"]));
    }
    for fix in full["fixes"].as_array().into_iter().flatten() {
        let (line, times, failed) = (line(fix, now), &fix["times"], text(&fix["command"]));
        said.push(format!("{line}, {times}× after `{failed}` failed"));
    }
    let mut room = if is_search { ROOM } else { ROOM_OF_ALL };
    let fits = |line: &&String| {
        let fits = line.len() < room;
        room = room.saturating_sub(line.len() + 4);
        fits
    };
    let shown = said.iter().take_while(fits).count();
    let left_out = said.len() - shown;
    said.truncate(shown);
    let mut answer = json!({ "lines": said });
    if left_out > 0 {
        let words = "had no room; ask for less at once, or with `offset` or `limit`";
        answer["left_out"] = format!("{left_out} more {words}").into();
    }
    answer
}

/// One thing that happened: its number, age, kind and status, and what it was.
fn line(one: &Value, now: i64) -> String {
    let number = ["id", "observation_id", "prompt_id"];
    let number = number.into_iter().find_map(|name| one[name].as_i64());
    let age = now - one["timestamp"].as_i64().unwrap_or(now);
    let kind = match text(&one["obs_type"]) {
        "" => text(&one["source"]),
        kind => kind,
    };
    let status = one["exit_code"].as_i64();
    let status = status.map_or_else(String::new, |code| format!(" ({code})"));
    let content = ["content_preview", "content"];
    let content = content.into_iter().map(|name| text(&one[name]));
    let content = content
        .max_by_key(|content| content.len())
        .unwrap_or_default();
    let after = |start: &str, name: &str| match text(&one[name]) {
        "" => String::new(),
        said => format!("{start}{said}"),
    };
    let (why, output) = (after(", for: ", "prompt_content"), after("\n", "output"));
    let number = number.map_or_else(String::new, |number| format!("{number} "));
    let age = Age(age.max(0));
    format!("{number}{age} ago {kind}{status}: {content}{why}{output}")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
