//! `nudge log`

use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::context_flags::ContextFlags;
use super::flags::{Params, number};
use super::output::Exit;
use super::pretty_observations::{List, Seen, ids};
use super::terminal::{Asked, Terminal, read};
use super::watch::{ended_by, while_read};
use crate::primary::operations::ServerOperation;

/// How often is looked for what is new.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge log --limit 50
  nudge log --session 0199c3f2       of one session, which `nudge trace` tells by its prompts
  nudge log --follow                 oldest first, and what comes then, until Ctrl-C")]
pub(crate) struct Log {
    /// The most observations, up to 100; 20 when left out
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    /// Only what this session did; the start of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Go on with what happens from now on
    #[arg(short, long)]
    follow: bool,
    /// Print the numbers alone
    #[arg(long, conflicts_with = "follow")]
    ids: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Log {
    pub(crate) fn run(self, terminal: Terminal) -> ExitCode {
        if self.follow {
            return while_read(move || self.follow(&terminal));
        }
        let asked = self.ask(&terminal, None);
        let exit = terminal.out.asked(&asked, |page, log: &List| {
            if self.ids {
                return ids(page, log.observations.iter());
            }
            for seen in &log.observations {
                seen.write(page, true);
            }
            if log.observations.is_empty() {
                page.line("nothing was recorded here yet");
                return Exit::Nothing;
            }
            Exit::Done
        });
        exit.into()
    }

    /// What there is, or what came after a number.
    fn ask(&self, terminal: &Terminal, after: Option<i64>) -> Asked {
        let limit = self.limit.clone().filter(|_| after.is_none());
        let params = Params::default()
            .with("session_id", self.session.as_deref())
            .with("after_id", after)
            .with("limit", limit);
        terminal.ask(
            ServerOperation::GetLog,
            &params,
            self.context.given().as_ref(),
        )
    }

    /// Prints what there is, then what comes, in the order of time.
    fn follow(&self, terminal: &Terminal) -> Exit {
        #[derive(Deserialize)]
        struct Told {
            observations: Vec<Box<RawValue>>,
        }
        let mut after = None;
        loop {
            let told = self.ask(terminal, after).answer;
            let told = told.and_then(|told| read::<Told>(&told));
            let mut told = match told {
                Ok(told) => told.observations,
                Err(fault) => return terminal.out.print_word(Err(fault)),
            };
            if after.is_none() {
                told.reverse();
            }
            let is_new = !told.is_empty();
            for json in told {
                let Ok(seen) = serde_json::from_str::<Seen>(json.get()) else {
                    continue;
                };
                after = Some(seen.id);
                let printed = terminal.out.event(json.get(), &seen.line(true));
                if let Err(error) = printed {
                    return ended_by(&error);
                }
            }
            after = after.or(Some(0));
            if !is_new {
                sleep(PAUSE);
            }
        }
    }
}
