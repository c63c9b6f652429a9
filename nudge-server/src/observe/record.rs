//! What is kept of an event: nothing that looks like a credential, no content of a file, and
//! nothing from outside a repository.

use std::path::Path;

use nudge::{EventKind, Facts, redact};

use super::PastEvent;
use super::private::without_private;
use crate::platform::sha256;
use crate::store::{ObsType, Observation, Row};

/// The most bytes of what a failed command printed, from its end.
const OUTPUT: usize = 2 * 1024;

/// The most characters of a prompt, and of a command.
const PROMPT: usize = 500;
const COMMAND: usize = 2000;

/// The most characters of a name: a session, a branch, a path.
const NAME: usize = 1024;

/// What is kept of what was told, if anything.
pub(super) fn row(PastEvent { timestamp, event }: &PastEvent) -> Option<Row> {
    let facts = event.context.facts();
    let mut is_first = false;
    let mut row = Observation {
        timestamp: *timestamp,
        project: name(facts.repos.first()?.as_str())?,
        session_id: session_key(event.session.as_deref().unwrap_or_default()),
        host: event.host.as_deref().and_then(name),
        branch: facts.branch.as_deref().and_then(name),
        cwd: facts.cwd.as_deref().and_then(name),
        ..Observation::default()
    };
    row.obs_type = match event.event {
        EventKind::AfterCommand => {
            let command = event.command.as_deref()?;
            row.content = start(&clean(command), COMMAND);
            row.exit_code = event.exit_code;
            row.duration_ms = number(event.duration_ms);
            if event.worked() == Some(false) {
                row.output = event.output.as_deref().and_then(tail);
                ObsType::CommandError
            } else {
                ObsType::Command
            }
        }
        EventKind::AfterEdit | EventKind::AfterWrite => {
            let file = name(&path(facts, event.file.as_deref()?))?;
            row.size = number(event.size);
            let size = row.size.map(|size| format!(", {size} bytes"));
            row.content = format!("{file}{}", size.unwrap_or_default());
            row.file_path = Some(file);
            match event.event {
                EventKind::AfterWrite => ObsType::FileWrite,
                _ => ObsType::FileEdit,
            }
        }
        EventKind::Prompt => {
            let prompt = without_private(event.prompt.as_deref()?);
            row.content = start(clean(&prompt).trim(), PROMPT);
            ObsType::UserPrompt
        }
        EventKind::SessionStart | EventKind::ContextLost => {
            // What somebody only asks for, as `nudge prime` and the page do, is no start.
            event.host.as_ref().or(event.session.as_ref())?;
            let is_lost = event.event == EventKind::ContextLost;
            is_first = event.reason.is_none() && !is_lost;
            let usual = if is_lost { "compact" } else { "startup" };
            row.content = clean(event.reason.as_deref().unwrap_or(usual));
            match &*row.content {
                "compact" => ObsType::SessionCompact,
                _ => ObsType::SessionStart,
            }
        }
        EventKind::SessionEnd => {
            "end".clone_into(&mut row.content);
            ObsType::SessionEnd
        }
        _ => return None,
    };
    // A part of a text may look like a credential where the whole did not.
    row.content = clean(&row.content);
    (!row.content.is_empty()).then_some(Row {
        observation: row,
        is_first,
        is_past: false,
    })
}

/// What a file is known by: its path below the root, or else as a whole.
pub(super) fn path(facts: &Facts, file: &str) -> String {
    let absolute = match &facts.cwd {
        Some(cwd) if !Path::new(file).is_absolute() => format!("{cwd}/{file}"),
        _ => file.to_owned(),
    };
    let whole = nudge::Context::new().cwd(absolute).facts().cwd.clone();
    let whole = whole.unwrap_or_default();
    let root = facts.root.as_deref().unwrap_or_default();
    let below = whole.strip_prefix(root).filter(|_| !root.is_empty());
    let below = below.and_then(|below| below.strip_prefix('/'));
    below.map(str::to_owned).unwrap_or(whole)
}

/// What a session is known by: no text like a credential. A UUID is none, and hooks are to be quick.
pub(crate) fn session_key(session: &str) -> String {
    let rest = session.trim_matches(|it: char| it.is_ascii_hexdigit() || it == '-');
    let uuid = Some(session).filter(|it| rest.is_empty() && it.len() == 36);
    let known = uuid.map(str::to_owned).or_else(|| name(session));
    known.unwrap_or_else(|| sha256(session).chars().take(16).collect())
}

/// A name as it is, unless it looks like a credential or is too long.
fn name(text: &str) -> Option<String> {
    let is_fit = text.chars().count() <= NAME && redact(text) == text;
    is_fit.then(|| text.to_owned())
}

/// A text without credentials, as a whole and line by line, and without colors and other signs
/// for a terminal, which go first: a credential may not be hidden by one.
fn clean(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' && letters.next_if_eq(&'[').is_some() {
            // A sequence ends with a letter, or one of a few signs.
            letters.find(|letter| ('@'..='~').contains(letter));
        } else if letter == '\n' || letter == '\t' || !letter.is_control() {
            plain.push(letter);
        }
    }
    let plain = redact(&plain);
    let lines = plain.split('\n').map(redact);
    lines.collect::<Vec<_>>().join("\n")
}

fn start(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// The end of what a command printed, in whole lines.
fn tail(output: &str) -> Option<String> {
    // Of a key that was cut, the guard would not know the rest.
    let key_end = output.rfind("-----END ");
    let is_whole = |end: usize| {
        output
            .get(..end)
            .is_some_and(|it| it.contains("-----BEGIN "))
    };
    let output = match key_end.filter(|end| !is_whole(*end)) {
        Some(end) => output.get(end..)?.split_once('\n')?.1,
        None => output,
    };
    let whole = clean(output);
    let whole = whole.trim_end();
    let from = whole.ceil_char_boundary(whole.len().saturating_sub(OUTPUT));
    let mut end = whole.get(from..)?;
    if from > 0
        && let Some((_, lines)) = end.split_once('\n')
    {
        end = lines;
    }
    let end = clean(end);
    (!end.trim().is_empty()).then_some(end)
}

fn number(given: Option<u64>) -> Option<i64> {
    given.and_then(|number| i64::try_from(number).ok())
}
