//! `HookEvent`: a host's event in the words of `nudge.on_event`.

use std::collections::BTreeMap;
use std::env::var_os;
use std::path::Path;

use nudge::{Context, Event, EventKind, HoldBack, programs_of};
use nudge_client::platform::stamp;
use serde_json::{Value, json};

use super::dialect::{Dialect, Refusal};
use super::path::{at, number, text};
use crate::config::{Before, Settings};
use crate::install::program::find;
use crate::observe::private::{without_private, without_told};
use crate::observe::record::session_key;

/// How much of what a command printed is passed on, from its end.
const OUTPUT: usize = 4 * 1024;

/// The longest command that is passed on; what is longer is a script.
const COMMAND: usize = 8 * 1024;

/// How much of a prompt is passed on, from its end.
const PROMPT: usize = 4 * 1024;

/// An event that means something to Nudge.
#[derive(Debug, PartialEq)]
pub(super) struct HookEvent {
    /// What the host calls it.
    pub(super) name: String,
    event: Event,
    /// The other files that it changed, each with how.
    more: Vec<(EventKind, String)>,
    /// Whether what is to be said before the command comes with its output.
    asks_before: bool,
    /// Whether the host can hold the command back.
    hold_back: Option<HoldBack>,
    folder: Option<String>,
    /// Where the agent is from now on; one that works for it may be elsewhere.
    pub(super) moved_to: Option<String>,
}

impl HookEvent {
    pub(super) fn starts_session(&self) -> bool {
        self.event.event == EventKind::SessionStart
    }

    /// Reads an event, which may be named beside it; `None` for one that means
    /// nothing.
    pub(super) fn read(dialect: &Dialect, named: Option<&str>, input: &Value) -> Option<HookEvent> {
        if !dialect.foreign.is_empty() && input.get(dialect.foreign).is_some() {
            return None;
        }
        let said = text(input, &[dialect.name]);
        let name = named.map(str::to_owned).or(said)?;
        let mut kind = dialect.events.iter().find(|(known, _)| *known == name)?.1;
        let tool = text(input, &[dialect.tool]).unwrap_or_default();
        if kind == EventKind::BeforeCommand && dialect.editors.contains(&&*tool) {
            kind = EventKind::BeforeEdit;
        }
        let edit = dialect.edits.iter().find(|(known, _)| *known == tool);
        if let Some((_, after)) = edit.filter(|_| kind == EventKind::AfterCommand) {
            kind = *after;
        }
        let mut changed = Vec::new();
        if matches!(kind, EventKind::AfterEdit | EventKind::AfterWrite) {
            changed = files(dialect, kind, input).filter(|_| !has_failed(&name, input))?;
            kind = changed.first()?.0;
        }
        let mut event = Event::new(kind).host(dialect.id);
        // What looks like a credential is not stored, and nobody's work has no session.
        event.session = text(input, dialect.session).map(|id| session_key(&id));
        if kind == EventKind::SessionStart {
            event.reason = text(input, dialect.reason);
            let is_unheard = |reason: &str| dialect.unheard.contains(&reason);
            if event.reason.as_deref().is_some_and(is_unheard) {
                event.event = EventKind::ContextLost;
            }
        }
        if matches!(kind, EventKind::BeforeCommand | EventKind::AfterCommand) {
            if !dialect.shells.contains(&&*tool) {
                return None;
            }
            let command = text(input, dialect.command)?;
            event.command = Some(command).filter(|command| command.len() <= COMMAND);
            event.command.as_ref()?;
            event.call = text(input, dialect.call);
        }
        if kind == EventKind::Prompt {
            // Before it is cut: a tag may be in what goes.
            let asked = without_private(&without_told(&text(input, dialect.prompt)?));
            let start = asked.ceil_char_boundary(asked.len().saturating_sub(PROMPT));
            event.prompt = asked.get(start..).map(str::to_owned);
        }
        if kind == EventKind::BeforeEdit {
            event.file = Some(text(input, dialect.file)?);
        }
        if !changed.is_empty() {
            event.file = Some(changed.remove(0).1);
        }
        if kind == EventKind::AfterCommand {
            let millis = number(input, dialect.duration);
            event.duration_ms = millis.and_then(|it| u64::try_from(it).ok());
            event.output = output(dialect, input);
            let ending = (dialect.ending)(&name, input);
            (event.ok, event.exit_code) = (ending.ok, ending.exit_code);
        }
        Some(HookEvent {
            name,
            event,
            more: changed,
            asks_before: kind == EventKind::AfterCommand && dialect.hears_after,
            hold_back: match (kind, dialect.refusal) {
                (EventKind::BeforeCommand, Refusal::None) => None,
                (EventKind::BeforeCommand, _) if dialect.hears_after => Some(HoldBack::Only),
                (EventKind::BeforeCommand, _) => Some(HoldBack::May),
                _ => None,
            },
            folder: folder(dialect, input),
            moved_to: text(input, dialect.folder).filter(|_| input.get("agent_id").is_none()),
        })
    }

    /// An event in our own words.
    pub(super) fn own(mut event: Event) -> HookEvent {
        event.prompt = event.prompt.as_deref().map(without_private);
        let folder = event.context.facts().cwd.clone();
        HookEvent {
            name: String::new(),
            more: Vec::new(),
            asks_before: false,
            hold_back: event.hold_back,
            moved_to: folder.clone(),
            folder,
            event,
        }
    }

    /// Whether it means nothing while no command is held back.
    pub(super) fn only_holds_back(&self) -> bool {
        self.hold_back == Some(HoldBack::Only)
    }

    pub(super) fn session(&self) -> Option<String> {
        self.event.session.clone()
    }

    /// What the event says of where it happened.
    pub(super) fn given(&self) -> Option<Value> {
        self.folder.as_ref().map(|folder| json!({ "cwd": folder }))
    }

    fn size(&self, event: &Event) -> Option<u64> {
        if !matches!(event.event, EventKind::AfterEdit | EventKind::AfterWrite) {
            return None;
        }
        let folder = Path::new(self.folder.as_deref().unwrap_or("/"));
        let seen = folder.join(event.file.as_ref()?).metadata().ok()?;
        seen.is_file().then_some(seen.len())
    }

    /// An event, and the same for each other file that was changed.
    fn each_file(&self, event: &Event) -> Vec<Event> {
        let more = self.more.iter().map(|(kind, file)| {
            let mut another = event.clone();
            (another.event, another.file) = (*kind, Some(file.clone()));
            another
        });
        [event.clone()].into_iter().chain(more).collect()
    }

    /// The events, and the folder that they are of.
    pub(super) fn into_events(self) -> Option<(String, Vec<Event>)> {
        let events = self.each_file(&self.event);
        Some((self.folder?, events))
    }

    /// The params of `nudge.on_event`, once for each time that it is called.
    pub(super) fn params(&self, context: &Context, settings: &Settings) -> Vec<String> {
        let mut event = self.event.clone().context(context);
        let short = |setting: Option<usize>| setting.and_then(|most| u32::try_from(most).ok());
        event.budget = short(settings.prime_tokens);
        event.remind_after = short(settings.remind);
        event.programs = event.command.as_deref().map(on_path);
        event.hold_back = match settings.before {
            Before::Tell => None,
            Before::Stop => self.hold_back,
            Before::Off => Some(HoldBack::Never),
        };
        let mut events = self.each_file(&event);
        for event in &mut events {
            event.size = self.size(event);
        }
        if self.asks_before && settings.before != Before::Off {
            let mut before = self.event.clone().context(context);
            before.event = EventKind::BeforeCommand;
            before.programs.clone_from(&event.programs);
            (before.ok, before.exit_code, before.output) = (None, None, None);
            events.insert(0, before);
        }
        events
            .iter()
            .map(|event| json!(event).to_string())
            .collect()
    }
}

/// The files that a tool has changed, and how: those of a patch, or the one that it names.
fn files(dialect: &Dialect, kind: EventKind, input: &Value) -> Option<Vec<(EventKind, String)>> {
    if let Some(file) = text(input, dialect.file) {
        return Some(vec![(kind, file)]);
    }
    let patch = text(input, dialect.command)?;
    let line = |line: &str| {
        let begins = [
            ("*** Update File: ", EventKind::AfterEdit),
            ("*** Add File: ", EventKind::AfterWrite),
        ];
        let mut begins = begins.into_iter();
        begins.find_map(|(begin, kind)| Some((kind, line.strip_prefix(begin)?.trim().to_owned())))
    };
    Some(patch.lines().filter_map(line).collect())
}

/// Whether a tool says that it did nothing.
fn has_failed(name: &str, input: &Value) -> bool {
    let error = at(input, "tool_response.error");
    let result = text(input, &["toolResult.resultType"]);
    name.ends_with("Failure")
        || error.is_some_and(|error| !error.is_null())
        || result.is_some_and(|result| result != "success")
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
    let tail = tail.lines().filter(|line| !is_frame(line));
    let tail = tail.map(|line| line.strip_prefix("Output: ").unwrap_or(line));
    let tail = tail.collect::<Vec<_>>().join("\n");
    (!tail.is_empty()).then_some(tail)
}

/// Whether a line was put around the output by the host.
fn is_frame(line: &str) -> bool {
    const FRAMES: [&str; 5] = [
        "<untrusted_context>",
        "</untrusted_context>",
        "Exit Code: ",
        "Process Group PGID: ",
        "<shellId: ",
    ];
    FRAMES.iter().any(|frame| line.starts_with(frame))
}

const MOST_PROGRAMS: usize = 8;

/// The programs of a command that are on the PATH, each with what is another text once its file
/// has changed.
fn on_path(command: &str) -> BTreeMap<String, String> {
    let folders = var_os("PATH").unwrap_or_default();
    let programs = programs_of(command).into_iter().take(MOST_PROGRAMS);
    let found = programs.filter_map(|program| {
        let seen = find(&program, &folders)?.metadata().ok()?;
        Some((program, format!("{:?}", stamp(&seen))))
    });
    found.collect()
}
