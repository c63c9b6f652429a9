//! `nudge statusline`: what is known here in one line of counts, for a host's status line.
//!
//! Nothing that anybody wrote is in it, so a host may print it as it is.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::Path;

use nudge_client::Client;
use nudge_client::folder::Runtime;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::input;
use super::path::text;
use crate::config::Settings;
use crate::primary::operations::ServerOperation;
use crate::proxy::infer::{infer, lacks};

/// Prints the line, or nothing where there is nothing to say or nobody to ask.
pub(super) fn print(settings: &Settings) {
    if let Some(line) = status(settings).and_then(|status| line(&status)) {
        let mut out = stdout().lock();
        let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
    }
}

/// The status of the server that runs, with what applies where the host says.
fn status(settings: &Settings) -> Option<Value> {
    // Where the agent is, as Claude Code says; whoever types this is where the process is.
    let event = if stdin().is_terminal() {
        None
    } else {
        input::read(stdin().lock()).ok()
    };
    let folder = event.and_then(|event| text(&event, &["workspace.current_dir", "cwd"]));
    let folder = folder.filter(|folder| Path::new(folder).is_absolute());
    let given = folder.and_then(|folder| to_raw_value(&json!({ "cwd": folder })).ok());
    let runtime = Runtime::find(settings.runtime_dir.as_deref()).ok()??;
    let client = Client::of(&runtime, None);
    let ask = |names: &[String]| {
        let context = infer(given.as_deref(), names).ok()?;
        let params = json!({ "context": context }).to_string();
        let status = client.call_blocking(ServerOperation::Status, &params);
        Some((status.ok()?, context))
    };
    let (mut status, context) = ask(&[])?;
    let names = client.env_names();
    if lacks(&context, &names) {
        (status, _) = ask(&names)?;
    }
    serde_json::from_str(status.get()).ok()
}

fn line(status: &Value) -> Option<String> {
    const COUNTED: [(&str, [&str; 2]); 3] = [
        ("/here", ["hint", "hints"]),
        ("/proposals", ["proposal waits", "proposals wait"]),
        (
            "/receipts/heeded",
            ["line heeded today", "lines heeded today"],
        ),
    ];
    let part = |(path, [one, more]): (&str, [&str; 2])| {
        let count = status.pointer(path)?.as_u64().filter(|count| *count > 0)?;
        Some(format!("{count} {}", if count == 1 { one } else { more }))
    };
    let parts: Vec<String> = COUNTED.into_iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| format!("nudge: {}\n", parts.join(" · ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_zero_is_left_out() {
        for (status, line) in [
            (json!({}), None),
            (json!({"here": "9", "proposals": -1, "receipts": 3}), None),
            (json!({"here": 0, "proposals": 0, "receipts": {}}), None),
            (json!({"here": 1}), Some("nudge: 1 hint\n")),
            (
                json!({"proposals": 2, "receipts": {"told": 9, "heeded": 1}}),
                Some("nudge: 2 proposals wait · 1 line heeded today\n"),
            ),
            (
                json!({"here": 4, "proposals": 1, "receipts": {"heeded": 3}}),
                Some("nudge: 4 hints · 1 proposal waits · 3 lines heeded today\n"),
            ),
        ] {
            assert_eq!(super::line(&status).as_deref(), line, "{status}");
        }
    }
}
