//! `nudge trace`

use clap::Args;
use serde::Deserialize;

use super::context_flags::ContextFlags;
use super::escape::shown;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty::count;
use super::pretty_observations::{Seen, ago, ids, preview};
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge trace 0199c3f2      a session that `nudge log` lists
  nudge trace 0199c3f2 --ids")]
pub(crate) struct Trace {
    /// The session's id, or the start of it
    session: String,
    /// Print the numbers of observations alone
    #[arg(long)]
    ids: bool,
    #[command(flatten)]
    context: ContextFlags,
}

/// What is printed of an answer.
#[derive(Deserialize)]
struct Told {
    session_id: String,
    project: String,
    started_at: i64,
    ended_at: Option<i64>,
    prompts: Vec<Prompt>,
    left_out: Option<usize>,
}

#[derive(Deserialize)]
struct Prompt {
    content: String,
    observations: Vec<Seen>,
}

impl Trace {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default().with("session_id", Some(&*self.session));
        let given = self.context.given();
        let asked = terminal.ask(ServerOperation::SessionTrace, &params, given.as_ref());
        terminal.out.asked(&asked, |page, session: &Told| {
            if self.ids {
                let prompts = session.prompts.iter();
                return ids(page, prompts.flat_map(|prompt| &prompt.observations));
            }
            write(page, session)
        })
    }
}

fn write(page: &mut Page, session: &Told) -> Exit {
    let ended = session.ended_at.map(|at| format!(", ended {}", ago(at)));
    page.line(&format!(
        "session {} in {}, started {}{}",
        shown(&session.session_id),
        shown(&session.project),
        ago(session.started_at),
        ended.unwrap_or_default()
    ));
    if let Some(left_out) = session.left_out {
        let older = count(left_out, "older observation");
        page.dim(&format!("  {older} left out"));
    }
    for prompt in &session.prompts {
        if !prompt.content.is_empty() {
            page.line(&format!("  » {}", preview(&prompt.content)));
        }
        for seen in &prompt.observations {
            seen.write(page, false);
        }
    }
    Exit::Done
}
