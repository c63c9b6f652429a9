//! What the commands about observations share: flags, the call, and how an answer reads.

use nudge::{Age, Clock, SystemClock};
use serde::Deserialize;

use super::prelude::*;
use crate::observe::answers::Preview;
use crate::store::ObsType;
use crate::wire::escape::shown_lines;

/// How many characters of an observation a line shows, and of the name of its session.
const CONTENT: usize = 120;
const SESSION: usize = 8;

#[derive(Debug, Args)]
pub(crate) struct Question {
    /// Print the numbers of observations alone
    #[arg(long)]
    pub(crate) ids: bool,
    #[command(flatten)]
    pub(crate) context: ContextFlags,
}

/// Any answer, as far as it is printed: observations, or such answers of their own below a
/// session or a prompt.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Told {
    #[serde(alias = "touches", alias = "fixes")]
    observations: Vec<Seen>,
    #[serde(alias = "sessions", alias = "prompts")]
    parts: Vec<Told>,
    session_id: String,
    started_at: Option<i64>,
    ended_at: Option<i64>,
    left_out: Option<usize>,
    /// The prompt.
    content: String,
}

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
    output: Option<String>,
    /// What the user had asked for.
    prompt_content: Option<String>,
    /// How often it helped, and against the failure of what.
    times: Option<usize>,
    command: Option<String>,
    /// The line that a search found, and what was done before the command went well.
    matched: Option<String>,
    fixed_by: Option<String>,
}

impl Question {
    /// Asks and prints the answer, or else what is to be said where there is none.
    pub(crate) fn tell(
        &self,
        terminal: &Terminal,
        method: ServerOperation,
        params: &Params,
        nothing: &str,
    ) -> Result<Exit, Fault> {
        let given = self.context.given();
        terminal.tell(method, params, given, |page, told: &Told| {
            let is_empty = told.observations.is_empty() && told.parts.is_empty();
            match (self.ids, is_empty) {
                (true, _) => told.write_ids(page),
                (_, true) => page.line(nothing),
                (_, false) => told.write(page, true),
            }
            Exit::found(!is_empty)
        })
    }
}

impl Told {
    fn write_ids(&self, page: &mut Page) {
        for seen in &self.observations {
            page.line(&seen.id.to_string());
        }
        for part in &self.parts {
            part.write_ids(page);
        }
    }

    fn write(&self, page: &mut Page, has_session: bool) {
        if let Some(started) = self.started_at {
            let ended = self.ended_at.map(|at| format!(", ended {}", ago(at)));
            let (session, started) = (shown(&self.session_id), ago(started));
            let ended = ended.unwrap_or_default();
            page.line(&format!("session {session}, started {started}{ended}"));
        }
        if let Some(left_out) = self.left_out {
            let left_out = count(left_out, "older observation");
            page.dim(&format!("  {left_out} left out"));
        }
        let mut last = &self.content;
        if !last.is_empty() {
            page.line(&format!("  » {}", start(last, CONTENT)));
        }
        for seen in &self.observations {
            if let Some(prompt) = seen.prompt_content.as_ref().filter(|it| *it != last) {
                page.line(&format!("  » {}", start(prompt, CONTENT)));
                last = prompt;
            }
            seen.write(page, has_session);
        }
        for part in &self.parts {
            part.write(page, false);
        }
    }
}

impl Seen {
    /// Adds its line, marked by how it went.
    pub(crate) fn write(&self, page: &mut Page, has_session: bool) {
        let line = self.line(has_session);
        match &*self.obs_type {
            "command" => page.ticked(&line),
            "command_error" => page.alarmed("✘", &line),
            _ => page.line(&format!("  {line}")),
        }
        if let (Some(times), Some(command)) = (self.times, &self.command) {
            let (times, command) = (count(times, "time"), start(command, CONTENT));
            page.dim(&format!(
                "    helped {times}; after that `{command}` worked"
            ));
        }
    }

    /// Adds who ran it, the line that was found, and what mended it.
    pub(crate) fn write_hit(&self, page: &mut Page) {
        let fixed = self.fixed_by.as_ref();
        let fixed = fixed.map(|fixed| format!("after `{fixed}` it worked"));
        let about = [&self.host, &self.matched, &fixed].into_iter().flatten();
        for line in about {
            page.dim(&format!("    {}", start(line, CONTENT)));
        }
    }

    /// Number, age, session where it is not said elsewhere, kind and status, and how it begins.
    pub(crate) fn line(&self, has_session: bool) -> String {
        let session = format!("{:<SESSION$}  ", start(&self.session_id, SESSION));
        let status = self.exit_code.filter(|code| *code != 0);
        let status = status.map(|code| format!(" {code}")).unwrap_or_default();
        format!(
            "{:>5}  {:>7}  {}{:<17}  {}",
            self.id,
            ago(self.timestamp),
            if has_session { &session } else { "" },
            shown(&self.obs_type).into_owned() + &status,
            start(&self.content, CONTENT)
        )
    }

    /// Adds what the line has no room for.
    pub(crate) fn write_rest(&self, page: &mut Page) {
        let about = [&self.host, &self.branch, &self.cwd];
        let about: Vec<&str> = about.into_iter().filter_map(Option::as_deref).collect();
        page.dim(&format!("    {}", shown(&about.join(", "))));
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

/// Cites when a hint's command was run here lately, and how it ended.
pub(crate) fn cite(page: &mut Page, runs: &[Preview]) {
    for run in runs {
        let is_failure = run.obs_type == ObsType::CommandError;
        let ended = if is_failure { "failed" } else { "worked" };
        let (ago, session) = (ago(run.timestamp), start(&run.session_id, SESSION));
        let line = format!("  {ended} {ago} in session {session}");
        page.dim(&format!("{line} (observation {})", run.id));
    }
}

fn ago(timestamp: i64) -> String {
    let age = SystemClock.now().timestamp().saturating_sub(timestamp);
    format!("{} ago", Age(age.max(0)))
}

fn start(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most).collect();
    shown(&start).into_owned()
}
