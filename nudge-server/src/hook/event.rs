//! `HookEvent`: a host's event in the words of `nudge.on_event`.

use std::path::Path;

use nudge::Context;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::dialect::{Dialect, EventKind};
use super::ending::Ending;
use super::path::{at, text};

/// How much of what a command printed is passed on, from its end.
const OUTPUT: usize = 4 * 1024;

/// The longest command that is passed on; what is longer is a script.
const COMMAND: usize = 8 * 1024;

/// An event that means something to Nudge.
#[derive(Debug, PartialEq)]
pub(super) struct HookEvent {
    /// What the host calls it.
    pub(super) name: String,
    host: &'static str,
    what: &'static str,
    session: Option<String>,
    reason: Option<String>,
    folder: Option<String>,
    command: Option<String>,
    output: Option<String>,
    ending: Ending,
}

impl HookEvent {
    /// Reads an event, which may be named beside it; `None` for one that means
    /// nothing.
    pub(super) fn read(dialect: &Dialect, named: Option<&str>, event: &Value) -> Option<HookEvent> {
        if !dialect.foreign.is_empty() && event.get(dialect.foreign).is_some() {
            return None;
        }
        let said = text(event, &[dialect.name]);
        let name = named.map(str::to_owned).or(said)?;
        let what = dialect.events.iter().find(|(known, _)| *known == name)?.1;
        let mut told = HookEvent {
            name,
            host: dialect.id,
            what: what.word(),
            session: text(event, dialect.session),
            reason: None,
            folder: folder(dialect, event),
            command: None,
            output: None,
            ending: Ending::default(),
        };
        match what {
            EventKind::SessionStart => told.reason = text(event, dialect.reason),
            EventKind::SessionEnd => {}
            EventKind::BeforeCommand | EventKind::AfterCommand => {
                let tool = text(event, &[dialect.tool])?;
                if !dialect.shells.contains(&&*tool) {
                    return None;
                }
                let command = text(event, dialect.command)?;
                told.command = Some(command).filter(|command| command.len() <= COMMAND);
                told.command.as_ref()?;
                if what == EventKind::AfterCommand {
                    told.output = output(dialect, event);
                    told.ending = (dialect.ending)(&told.name, event);
                }
            }
        }
        Some(told)
    }

    /// What the event says of where it happened.
    pub(super) fn given(&self) -> Option<Box<RawValue>> {
        let folder = self.folder.as_ref()?;
        to_raw_value(&json!({ "cwd": folder })).ok()
    }

    /// The params of `nudge.on_event`.
    pub(super) fn params(&self, context: &Context, budget: Option<usize>) -> String {
        let budget = budget.filter(|_| self.what == EventKind::SessionStart.word());
        let params = json!({
            "event": self.what,
            "host": self.host,
            "session": self.session,
            "reason": self.reason,
            "command": self.command,
            "ok": self.ending.ok,
            "exit_code": self.ending.exit_code,
            "output": self.output,
            "budget": budget,
            "context": context,
        });
        let Value::Object(mut params) = params else {
            return "{}".to_owned();
        };
        params.retain(|_, value| !value.is_null());
        Value::Object(params).to_string()
    }
}

/// The folder that the command runs in, or the session.
fn folder(dialect: &Dialect, event: &Value) -> Option<String> {
    let base = text(event, dialect.folder);
    let inner = text(event, dialect.inner_folder).filter(|inner| !inner.is_empty());
    let folder = match (base, inner) {
        (Some(base), Some(inner)) => Path::new(&base).join(inner).to_str()?.to_owned(),
        (base, inner) => base.or(inner)?,
    };
    Path::new(&folder).is_absolute().then_some(folder)
}

/// The end of what the command printed.
fn output(dialect: &Dialect, event: &Value) -> Option<String> {
    let paths = dialect.output.iter();
    let parts = paths.filter_map(|path| match at(event, path)?.into_owned() {
        Value::String(text) => Some(text),
        Value::Array(parts) => parts.iter().find_map(|part| text(part, &["text"])),
        _ => None,
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let all = parts.join("\n");
    let start = all.ceil_char_boundary(all.len().saturating_sub(OUTPUT));
    let tail = all.get(start..)?;
    (!tail.is_empty()).then(|| tail.to_owned())
}
