//! How observations read for people: one line for each, and more where it is asked for.

use nudge::{Age, Clock, SystemClock};
use serde::Deserialize;

use super::escape::{shown, shown_lines};
use super::output::{Exit, Page};

/// How many characters of an observation a line shows, and of the name of its session.
const CONTENT: usize = 120;
const SESSION: usize = 8;

/// An observation, as far as an answer tells it.
#[derive(Deserialize)]
pub(crate) struct Seen {
    #[serde(alias = "observation_id")]
    pub(crate) id: i64,
    timestamp: i64,
    obs_type: String,
    #[serde(alias = "content_preview")]
    content: String,
    exit_code: Option<i64>,
    #[serde(default)]
    session_id: String,
    host: Option<String>,
    branch: Option<String>,
    cwd: Option<String>,
    duration_ms: Option<i64>,
    output: Option<String>,
}

/// A list of observations.
#[derive(Deserialize)]
pub(crate) struct List {
    pub(crate) observations: Vec<Seen>,
}

/// How long ago something was, by the clock of the machine.
pub(crate) fn ago(timestamp: i64) -> String {
    let age = SystemClock.now().timestamp().saturating_sub(timestamp);
    format!("{} ago", Age(age.max(0)))
}

/// The start of what a session is called, which is enough to ask for it.
pub(crate) fn short(session: &str) -> String {
    start(session, SESSION)
}

/// The start of what was run or asked for, in a line.
pub(crate) fn preview(content: &str) -> String {
    start(content, CONTENT)
}

fn start(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most).collect();
    shown(&start).into_owned()
}

impl Seen {
    /// Adds its line: number, age, kind and status, and how it begins.
    pub(crate) fn write(&self, page: &mut Page, has_session: bool) {
        let line = self.line(has_session);
        match &*self.obs_type {
            "command" => page.marked("✔", &line),
            "command_error" => page.alarmed("✘", &line),
            _ => page.line(&format!("  {line}")),
        }
    }

    /// The line without its mark; with its session where that is not said elsewhere.
    pub(crate) fn line(&self, has_session: bool) -> String {
        let session = has_session.then(|| format!("{:<SESSION$}  ", short(&self.session_id)));
        let status = self.exit_code.filter(|code| *code != 0);
        let status = status.map(|code| format!(" {code}")).unwrap_or_default();
        format!(
            "{:>5}  {:>7}  {}{:<17}  {}",
            self.id,
            ago(self.timestamp),
            session.unwrap_or_default(),
            shown(&self.obs_type).into_owned() + &status,
            preview(&self.content)
        )
    }

    /// Adds what the line has no room for.
    pub(crate) fn write_rest(&self, page: &mut Page) {
        let took = self.duration_ms.map(|took| format!("{took} ms"));
        let about = [&self.host, &self.branch, &self.cwd, &took];
        let about: Vec<&str> = about.into_iter().filter_map(Option::as_deref).collect();
        if !about.is_empty() {
            page.dim(&format!("    {}", shown(&about.join(", "))));
        }
        let is_cut = self.content.contains('\n') || self.content.chars().count() > CONTENT;
        let content = is_cut.then_some(&self.content);
        for line in content
            .into_iter()
            .chain(&self.output)
            .flat_map(|it| it.lines())
        {
            page.line(&format!("    {}", shown_lines(line)));
        }
    }
}

/// Adds the numbers of observations, one a line.
pub(crate) fn ids<'s>(page: &mut Page, seen: impl Iterator<Item = &'s Seen>) -> Exit {
    let mut exit = Exit::Nothing;
    for seen in seen {
        page.line(&seen.id.to_string());
        exit = Exit::Done;
    }
    exit
}
