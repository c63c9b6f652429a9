//! `nudge statusline`: what is known here in one line, for a host's status line.
//!
//! The user reads it and no model does. What somebody wrote stands in it without anything that a
//! terminal would obey.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::Path;

use nudge::{Context, ContextSets, Operation, Proposals};
use nudge_client::folder::Runtime;
use nudge_client::{Client, Method, Sender};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::input;
use super::path::text;

use crate::config::Settings;
use crate::primary::operations::ServerOperation;
use crate::proxy::infer::infer;
use crate::wire::escape::shown;

/// How many characters there is room for of one part, and how many files are named.
const MOST: usize = 70;
const MOST_FILES: usize = 2;

/// Prints the line, or nothing where there is nothing to say or nobody to ask.
pub(super) fn print(settings: &Settings) {
    if let Some(line) = line(settings) {
        let mut out = stdout().lock();
        let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
    }
}

/// What the server that runs says of where the host is.
fn line(settings: &Settings) -> Option<String> {
    // Where the agent is, as Claude Code says; whoever types this is where the process is.
    let event = (!stdin().is_terminal()).then(|| input::read(stdin().lock()).ok());
    let event = event.flatten();
    let field = |names: &[&str]| event.as_ref().and_then(|event| text(event, names));
    let folder = field(&["workspace.current_dir", "cwd"]);
    let folder = folder.filter(|folder| Path::new(folder).is_absolute());
    let given = folder.map(|folder| json!({ "cwd": folder }));
    let runtime = Runtime::find(settings.runtime_dir.as_deref()).ok()??;
    let client = Client::of(&runtime, None);
    let by = Sender::process().session(field(&["session_id"]));
    let mut context = Context::new();
    let status = client.call_knowing_blocking(&by, ServerOperation::Status, |known| {
        context = infer(given.as_ref(), &known.env_names)?;
        Ok(json!({ "context": context }).to_string())
    });
    let status: Value = serde_json::from_str(status.ok()?.get()).ok()?;
    let params = json!({ "context": context });
    let working = read(&client, &by, Operation::GetContext, &params).unwrap_or_default();
    let mut waiting = Proposals::default();
    if status["proposals"].as_u64() > Some(0) {
        waiting = read(&client, &by, Operation::ListProposals, &json!({})).unwrap_or_default();
        let facts = context.facts();
        waiting.proposals.retain(|one| one.hint.applies(facts));
    }
    let count = |path: &str, [one, more]: [&str; 2]| {
        let count = status.pointer(path)?.as_u64();
        let count = count.filter(|count| *count > 0)?;
        Some(format!("{count} {}", if count == 1 { one } else { more }))
    };
    let parts = [
        count("/here", ["hint", "hints"]),
        files(&working),
        newest(&waiting),
        count(
            "/receipts/heeded",
            ["line heeded today", "lines heeded today"],
        ),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("nudge: {}\n", parts.join(" · ")))
}

fn read<T: DeserializeOwned>(
    client: &Client,
    by: &Sender,
    method: impl Into<Method<'static>>,
    params: &Value,
) -> Option<T> {
    let answer = client.call_from(by, method, &params.to_string()).ok()?;
    serde_json::from_str(answer.get()).ok()
}

/// What the session has in hand, the newest first.
fn files(working: &ContextSets) -> Option<String> {
    let files = working.sets.get("files")?;
    let name = |file: &String| Path::new(file).file_name()?.to_str().map(cut);
    let newest = files.iter().rev().take(MOST_FILES);
    let mut names: Vec<String> = newest.filter_map(name).collect();
    let more = files.len() - names.len();
    names.extend((more > 0).then(|| format!("{more} more")));
    Some(format!("working on {}", names.join(", ")))
}

/// How many proposals wait here, and what the newest says.
fn newest(waiting: &Proposals) -> Option<String> {
    let newest = waiting.proposals.last()?;
    let waits = match waiting.proposals.len() {
        1 => "1 proposal waits".to_owned(),
        count => format!("{count} proposals wait"),
    };
    let (component, key) = (shown(&newest.component), shown(&newest.key));
    let value = if newest.delete {
        "delete it".to_owned()
    } else {
        cut(&newest.hint.shown())
    };
    let grounds = cut(&newest.grounds());
    Some(format!("{waits}: {component}/{key}: {value} ({grounds})"))
}

/// The beginning of a text, in one line.
fn cut(text: &str) -> String {
    let start: String = text.chars().take(MOST).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{}{more}", shown(&start))
}
