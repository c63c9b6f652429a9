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
    if status.get("members").is_some() {
        page.line(&format!("members: {}", at("/members")));
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
