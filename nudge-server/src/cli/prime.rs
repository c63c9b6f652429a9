//! `nudge prime`

use clap::Args;
use nudge::{Operation, PromptBlock, Reaction};

use super::check;
use super::context_flags::ContextFlags;
use super::every_command::Color;
use super::flags::Params;
use super::output::{self, Exit, Output, Page};
use super::terminal::{Asked, Terminal, read};
use super::week;
use crate::config::{Flags, Settings};
use crate::primary::operations::ServerOperation;
use crate::primary::week::{RepoWeek, Week};
use crate::sync::State;
use crate::wire::escape::{shown, shown_lines};

#[derive(Debug, Default, Args)]
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
        terminal.out.asked(&self.ask(terminal), primed)
    }

    fn ask(&self, terminal: &Terminal) -> Asked {
        let params = Params::default()
            .with("event", Some("session_start"))
            .with("reason", self.after_compaction.then_some("compact"))
            .with("budget", self.budget.or_else(|| terminal.prime_tokens()));
        terminal.ask(Operation::OnEvent, &params, self.context.given().as_ref())
    }
}

/// What `nudge` alone prints: what an agent would be told here now, in how many tokens, and
/// what came of that this week.
pub(crate) fn alone(port: Option<u16>, out: Output) -> Exit {
    let settings = match Settings::read(&Flags::default()) {
        Ok(settings) => Settings { port, ..settings },
        Err(words) => return output::misused(&words),
    };
    let terminal = Terminal::new(settings, out);
    let asked = Prime::default().ask(&terminal);
    let place = asked.echo.as_ref().map(|(_, context)| context.get("repo"));
    let place = match place {
        Some(None) => "here, outside of any repository",
        _ => "here yet",
    };
    let week = terminal.call(ServerOperation::GetWeek, &week::params(7, None).to_json());
    let mut week = week
        .and_then(|week| read::<Week>(&week))
        .unwrap_or_default();
    // What waits elsewhere is told there.
    let here = week::repo_here();
    let is_elsewhere = |of: &&mut RepoWeek| of.repo.is_some() && of.repo != here;
    for of in week.repositories.iter_mut().filter(is_elsewhere) {
        of.waiting.clear();
    }
    let week = week::line(&week);
    let week = week.map(|week| format!("{week}; `nudge week` tells more"));
    let runtime = terminal.found_runtime();
    let sync = runtime.and_then(|runtime| State::load(runtime.folder()).status());
    let sync = sync.map(|sync| format!("sync: {}", shown(&sync.describe().0)));
    terminal.out.asked(&asked, |page, told: &Reaction| {
        let left_out = check::left_out(&terminal);
        let Some(text) = &told.text else {
            page.line(&format!(
                "an agent is told nothing {place}; `nudge --help` lists the commands"
            ));
            for line in &left_out {
                page.warned("!", line);
            }
            for line in week.iter().chain(&sync) {
                page.line(line);
            }
            return Exit::Done;
        };
        primed(page, told);
        page.line("");
        let tokens = text.len().div_ceil(PromptBlock::BYTES_A_TOKEN);
        page.dim(&format!(
            "an agent that starts here is told this, in {tokens} tokens"
        ));
        for line in &left_out {
            page.warned("!", line);
        }
        for line in week.iter().chain(&sync) {
            page.line(line);
        }
        page.dim("`nudge --help` lists the commands");
        Exit::Done
    })
}

/// The end of `nudge install`: what an agent that starts here now is told. The settings are read
/// again: a session that starts now has those that were just written.
pub(crate) fn preview(out: &Output) {
    let Ok(settings) = Settings::read(&Flags::default()) else {
        return;
    };
    let asked = Prime::default().ask(&Terminal::new(settings, Output::new(false, Color::Auto)));
    // Why there is no answer, `nudge doctor` says.
    if asked.answer.is_ok() {
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
}

fn primed(page: &mut Page, primed: &Reaction) -> Exit {
    let Some(text) = &primed.text else {
        page.line("no hint applies here");
        return Exit::Nothing;
    };
    page.line(shown_lines(text).trim_end());
    Exit::Done
}
