//! How `nudge status` reads for people.

use serde_json::Value;

use super::escape::shown;
use super::output::{Exit, Page};

pub(crate) fn status(page: &mut Page, status: &Value) -> Exit {
    let at = |pointer: &str| match status.pointer(pointer) {
        None | Some(Value::Null) => "?".to_owned(),
        Some(Value::String(text)) => shown(text).into_owned(),
        Some(other) => other.to_string(),
    };
    page.line(&format!(
        "{} {} ({}, pid {})",
        at("/product"),
        at("/version"),
        at("/role"),
        at("/pid")
    ));
    page.line(&format!("url:     {}", at("/url")));
    page.line(&format!(
        "session: {}, since {}",
        at("/session_id"),
        at("/started")
    ));
    if let Some(members) = status.get("members").and_then(Value::as_array) {
        let pids = members.iter().filter_map(|member| member.get("pid"));
        let pids: Vec<String> = pids.map(Value::to_string).collect();
        page.line(&format!(
            "members: {} (pid {})",
            pids.len(),
            pids.join(", ")
        ));
    }
    page.line(&format!(
        "holds:   {} hints in {} components, used {} times",
        at("/stats/hints"),
        at("/stats/components"),
        at("/stats/uses"),
    ));
    page.line(&format!(
        "limits:  {} hints in {} components, {} in one, {} bytes a value",
        at("/limits/hints"),
        at("/limits/components"),
        at("/limits/hints_per_component"),
        at("/limits/value_bytes"),
    ));
    Exit::Done
}
