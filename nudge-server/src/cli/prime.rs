//! `nudge prime`

use clap::Args;
use nudge::{Operation, Reaction};

use super::context_flags::ContextFlags;
use super::escape::shown_lines;
use super::flags::Params;
use super::output::{Exit, Page};
use super::terminal::Terminal;

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

impl Prime {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default()
            .with("event", Some("session_start"))
            .with("reason", self.after_compaction.then_some("compact"))
            .with("budget", self.budget.or_else(|| terminal.prime_tokens()));
        let asked = terminal.ask(Operation::OnEvent, &params, self.context.given().as_ref());
        terminal
            .out
            .asked(&asked, |page: &mut Page, primed: &Reaction| {
                let Some(text) = &primed.text else {
                    page.line("no hint applies here");
                    return Exit::Nothing;
                };
                page.line(shown_lines(text).trim_end());
                Exit::Done
            })
    }
}
