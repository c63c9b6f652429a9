//! `nudge history`

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::context_flags::ContextFlags;
use super::escape::shown;
use super::flags::{Params, number};
use super::output::{Exit, Page};
use super::pretty_observations::{Seen, ago, ids, preview, short};
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge history src/auth.rs
  nudge history src/auth.rs --json")]
pub(crate) struct History {
    /// The file, from where you are or from the root of the worktree
    #[arg(value_name = "FILE")]
    path: String,
    /// The most changes, up to 50; 10 when left out
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    /// Print the numbers of observations alone
    #[arg(long)]
    ids: bool,
    #[command(flatten)]
    context: ContextFlags,
}

/// What is printed of an answer.
#[derive(Deserialize)]
struct Changes {
    file_path: String,
    sessions: Vec<Editor>,
}

#[derive(Deserialize)]
struct Editor {
    session_id: String,
    started_at: i64,
    touches: Vec<Touch>,
}

#[derive(Deserialize)]
struct Touch {
    #[serde(flatten)]
    seen: Seen,
    prompt_content: Option<String>,
}

impl History {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default()
            .with("file_path", Some(&*self.path))
            .with("limit", self.limit.clone());
        let given = self.context.given();
        let asked = terminal.ask(ServerOperation::FileHistory, &params, given.as_ref());
        terminal
            .out
            .asked(&asked, |page, changes| self.write(page, changes))
    }

    fn write(&self, page: &mut Page, changes: &Changes) -> Exit {
        if self.ids {
            let touches = changes.sessions.iter().flat_map(|it| &it.touches);
            return ids(page, touches.map(|touch| &touch.seen));
        }
        if changes.sessions.is_empty() {
            let file = shown(&changes.file_path);
            page.line(&format!("no change of `{file}` was recorded"));
            return Exit::Nothing;
        }
        for session in &changes.sessions {
            let (name, started) = (short(&session.session_id), ago(session.started_at));
            page.line(&format!("session {name}, started {started}"));
            let mut last = None;
            for touch in &session.touches {
                let prompt = touch.prompt_content.as_ref();
                if let Some(prompt) = prompt.filter(|_| prompt != last) {
                    page.line(&format!("  » {}", preview(prompt)));
                }
                last = prompt;
                touch.seen.write(page, false);
            }
        }
        Exit::Done
    }
}
