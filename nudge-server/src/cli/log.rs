//! `nudge log`

use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::flags::{Params, number};
use super::observations::{Question, Seen};
use super::output::Exit;
use super::terminal::{Terminal, read};
use super::watch::{ended_by, while_read};
use super::week;
use crate::primary::operations::ServerOperation;

/// How often is looked for what is new.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge log --session 0199c3f2       of one session, which `nudge trace` tells by its prompts
  nudge log --told                   what agents were told unasked, and heeded
  nudge log --follow                 oldest first, and what comes then, until Ctrl-C or `nudge stop`")]
pub(crate) struct Log {
    /// The most observations, up to 100; 20 when left out
    #[arg(short = 'n', long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    /// Only what this session did; the start of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Go on with what happens from now on
    #[arg(short, long, conflicts_with = "ids")]
    follow: bool,
    /// List what agents were told unasked, and what they heeded, in the last 30 days
    #[arg(long, conflicts_with_all = ["follow", "session", "ids"])]
    told: bool,
    #[command(flatten)]
    question: Question,
}

impl Log {
    pub(crate) fn run(self, terminal: Terminal) -> ExitCode {
        if self.told {
            return week::told_lines(&terminal, self.limit).into();
        }
        let params = Params::default().with("session_id", self.session.as_deref());
        if self.follow {
            return while_read(move || self.follow(&terminal, &params));
        }
        let params = params.with("limit", self.limit);
        let (log, nothing) = (ServerOperation::GetLog, "nothing was recorded here yet");
        self.question.tell(&terminal, log, &params, nothing).into()
    }

    /// Prints what there is, then what comes, in the order of time.
    fn follow(&self, terminal: &Terminal, params: &Params) -> Exit {
        let mut next = params.clone().with("limit", self.limit.clone());
        let mut last = 0;
        loop {
            let asked = self.question.ask(terminal, ServerOperation::GetLog, &next);
            let mut told = match asked.answer.and_then(|told| read::<Value>(&told)) {
                Ok(told) => told,
                Err(fault) => return terminal.out.print_word(Err(fault)),
            };
            let mut told: Vec<Value> =
                serde_json::from_value(told["observations"].take()).unwrap_or_default();
            told.sort_by_key(|one| one["id"].as_i64());
            for (one, seen) in told
                .iter()
                .filter_map(|one| Some((one, Seen::deserialize(one).ok()?)))
            {
                last = seen.id;
                if let Err(error) = terminal.out.event(&one.to_string(), &seen.line(true)) {
                    return ended_by(&error);
                }
            }
            if told.is_empty() {
                sleep(PAUSE);
            }
            if !terminal.has_session() {
                terminal.out.note("the session has ended");
                return Exit::Done;
            }
            next = params.clone().with("after_id", Some(last));
        }
    }
}
