//! How `nudge status` reads for people.

use nudge::{Clock, SystemClock};
use serde::Deserialize;
use serde_json::Value;

use super::lifetime::local;
use super::output::{Exit, Page};
use super::week;
use crate::primary::program::{Program, is_older};
use crate::store::Receipts;
use crate::sync::SyncStatus;
use crate::wire::escape::shown;

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
    let began = at("/session_began");
    let began = began
        .parse()
        .map_or(began, |at| local(at, SystemClock.now()));
    page.line(&format!("session: {}, since {began}", at("/session_id")));
    if let Some(members) = status.get("members").and_then(Value::as_array) {
        let shown: Vec<String> = members.iter().map(member).collect();
        page.line(&format!("members: {} ({})", shown.len(), shown.join(", ")));
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
    let program = status
        .get("program")
        .and_then(|it| Program::deserialize(it).ok());
    if is_older(&at("/version"), program.as_ref()) {
        page.warned(
            "!",
            "the server is older than this nudge; `nudge restart` replaces it",
        );
    }
    if let Some((words, is_good)) = sync(status) {
        let line = format!("sync:    {words}");
        if is_good {
            page.line(&line);
        } else {
            page.warned("!", &line);
        }
    }
    let warnings = status.get("warnings").and_then(Value::as_array);
    for warning in warnings.into_iter().flatten().filter_map(Value::as_str) {
        page.alarmed("✘", &shown(warning));
    }
    if let Some(receipts) = receipts(status) {
        page.line(&receipts.replacen(": ", ":   ", 1));
    }
    Exit::Done
}

/// How this machine is in step with others, in words, and whether it is as it should be; `None`
/// where nothing is shared.
pub(crate) fn sync(status: &Value) -> Option<(String, bool)> {
    let sync = SyncStatus::deserialize(status.get("sync")?).ok()?;
    let (words, is_good) = sync.describe();
    Some((shown(&words).into_owned(), is_good))
}

/// What Nudge did today, in one line; `None` where it said nothing.
fn receipts(status: &Value) -> Option<String> {
    let today = Receipts::deserialize(status.get("receipts")?).ok()?;
    (today.told > 0).then(|| format!("today: {}", week::receipts(&today)))
}

/// A member by its process, and the client that it serves.
fn member(member: &Value) -> String {
    let pid = member
        .get("pid")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    match member.get("client").and_then(Value::as_str) {
        Some(client) => format!("pid {pid} for {}", shown(client)),
        None => format!("pid {pid}"),
    }
}
