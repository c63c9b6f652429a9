//! `nudge prime`

use clap::Args;
use serde::Deserialize;

use super::context_flags::ContextFlags;
use super::escape::shown_lines;
use super::flags::Params;
use super::output::{Exit, Page};
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
pub(crate) struct Prime {
    /// The most tokens to print, three bytes each; 400 when left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=50_000))]
    budget: Option<i64>,
    /// Print twice as much, and what is being worked on
    #[arg(long)]
    after_compaction: bool,
    #[command(flatten)]
    context: ContextFlags,
}

/// What a session is told, as far as it is printed.
#[derive(Deserialize)]
struct Primed {
    #[serde(default)]
    text: String,
}

impl Prime {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default()
            .with("event", Some("session_start"))
            .with("reason", self.after_compaction.then_some("compact"))
            .with("budget", self.budget.or_else(|| terminal.prime_tokens()));
        let asked = terminal.ask(
            ServerOperation::OnEvent,
            &params,
            self.context.given().as_ref(),
        );
        terminal
            .out
            .asked(&asked, |page: &mut Page, primed: &Primed| {
                if primed.text.is_empty() {
                    page.line("no hint applies here");
                    return Exit::Nothing;
                }
                page.line(shown_lines(&primed.text).trim_end());
                Exit::Done
            })
    }
}
