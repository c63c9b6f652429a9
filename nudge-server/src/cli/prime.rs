//! `nudge prime`

use clap::builder::RangedU64ValueParser;
use nudge::{PromptBlock, Reaction};

use super::check;
use super::output::Output;
use super::prelude::*;
use super::status::Status;
use super::terminal::Asked;
use super::week;
use crate::config::{Flags, Settings};
use crate::primary::week::Week;
use crate::wire::escape::shown_lines;

#[derive(Debug, Default, Args)]
pub(crate) struct Prime {
    /// The most tokens to print, three bytes each; 400 when left out
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=50_000))]
    budget: Option<usize>,
    /// Print twice as much, and what is being worked on
    #[arg(long)]
    after_compaction: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Prime {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = self.params(terminal);
        terminal.tell(Operation::OnEvent, &params, self.context.given(), primed)
    }

    fn params(&self, terminal: &Terminal) -> Params {
        Params::default()
            .with("event", Some("session_start"))
            .with("reason", self.after_compaction.then_some("compact"))
            .with("budget", self.budget.or(terminal.settings.prime_tokens))
    }
}

/// What `nudge` alone prints: what an agent would be told here now, in how many tokens, and
/// what came of that this week.
pub(crate) fn alone(port: Option<u16>, out: &Output) -> Exit {
    let (terminal, asked) = match told(port, out) {
        Ok(told) => told,
        Err(words) => return out.mistyped(&words),
    };
    let place = match asked.context.as_ref().map(|context| context.get("repo")) {
        Some(None) => "here, outside of any repository",
        _ => "here yet",
    };
    let week = terminal.get::<Week>(ServerOperation::GetWeek, &week::params(7, None), None);
    // What waits elsewhere is told there.
    let at = Params::default().with("context", asked.context.clone());
    let status = terminal
        .get::<Status>(ServerOperation::Status, &at, None)
        .ok();
    let waiting = status.as_ref().map_or(0, |status| status.proposals);
    let week = week::line(&week.unwrap_or_default(), waiting);
    let week = week.map(|week| format!("{week}; `nudge week` tells more"));
    let sync = status.and_then(|status| status.sync);
    let sync = sync.map(|sync| format!("sync: {}", shown(&sync.describe().0)));
    terminal.out.asked(&asked, |page, told: &Reaction| {
        if let Some(text) = &told.text {
            primed(page, told);
            page.line("");
            let tokens = text.len().div_ceil(PromptBlock::BYTES_A_TOKEN);
            page.dim(&format!(
                "an agent that starts here is told this, in {tokens} tokens"
            ));
        } else {
            page.line(&format!(
                "an agent is told nothing {place}; `nudge --help` lists the commands"
            ));
        }
        for line in check::left_out(&terminal) {
            page.warned("!", &line);
        }
        for line in week.iter().chain(&sync) {
            page.line(line);
        }
        if told.text.is_some() {
            page.dim("`nudge --help` lists the commands");
        }
        Exit::Done
    })
}

/// The end of `nudge install`: what an agent that starts here now is told. The settings are read
/// again: a session that starts now has those that were just written.
pub(crate) fn preview(out: &Output) {
    // Why there is no answer, `nudge doctor` says.
    let told = told(None, &Output::default()).ok();
    let Some((_terminal, asked)) = told.filter(|(_, asked)| asked.answer.is_ok()) else {
        return;
    };
    out.asked(&asked, |page, told: &Reaction| {
        page.line("");
        if told.text.is_none() {
            page.dim("nothing is known here yet; it learns from the commands that agents run");
            return Exit::Done;
        }
        page.dim("an agent that starts here now is told:");
        primed(page, told)
    });
}

/// Asks what an agent that starts here now is told.
fn told(port: Option<u16>, out: &Output) -> Result<(Terminal, Asked), String> {
    let settings = Settings::read(&Flags::default())?;
    let terminal = Terminal::new(Settings { port, ..settings }, out.clone());
    let params = Prime::default().params(&terminal);
    let asked = terminal.ask(Operation::OnEvent, &params, None);
    Ok((terminal, asked))
}

fn primed(page: &mut Page, primed: &Reaction) -> Exit {
    let Some(text) = &primed.text else {
        page.line("no hint applies here");
        return Exit::Nothing;
    };
    page.line(shown_lines(text).trim_end());
    Exit::Done
}
