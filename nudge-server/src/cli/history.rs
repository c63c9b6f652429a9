//! `nudge log`, `nudge history`, `nudge trace` and `nudge fix`

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use serde::Deserialize;

use super::observations::{Question, Seen};
use super::prelude::*;
use super::start;
use super::terminal::stdin;
use super::watch::{ended_by, while_read};
use super::week;

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
        if self.follow {
            return while_read(move || terminal.ended(self.follow(&terminal)));
        }
        let told = if self.told {
            week::told_lines(&terminal, self.limit)
        } else {
            let (log, nothing) = (ServerOperation::GetLog, "nothing was recorded here yet");
            let params = self.params().with("limit", self.limit);
            self.question.tell(&terminal, log, &params, nothing)
        };
        terminal.ended(told).into()
    }

    fn params(&self) -> Params {
        Params::default().with("session_id", self.session.as_deref())
    }

    /// Prints what there is, then what comes, in the order of time.
    fn follow(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let mut next = self.params().with("limit", self.limit.clone());
        let mut last = 0;
        loop {
            let given = self.question.context.given();
            let mut told: Value = terminal.get(ServerOperation::GetLog, &next, given)?;
            let mut told: Vec<Value> =
                serde_json::from_value(told["observations"].take()).unwrap_or_default();
            told.sort_by_key(|one| one["id"].as_i64());
            for (one, seen) in told
                .iter()
                .filter_map(|one| Some((one, Seen::deserialize(one).ok()?)))
            {
                last = seen.id;
                if let Err(error) = terminal.out.event(&one.to_string(), &seen.line(true)) {
                    return Ok(ended_by(&error));
                }
            }
            if told.is_empty() {
                sleep(PAUSE);
            }
            if !start::is_there(&terminal.settings) {
                terminal.out.note("the session has ended");
                return Ok(Exit::Done);
            }
            next = self.params().with("after_id", Some(last));
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct History {
    /// The file, from where you are or from the root of the worktree
    #[arg(value_name = "FILE")]
    path: String,
    /// The most changes, up to 50; 10 when left out
    #[arg(short = 'n', long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    #[command(flatten)]
    question: Question,
}

impl History {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = Params::default().with("file_path", Some(&*self.path));
        let params = params.with("limit", self.limit.clone());
        let nothing = "no change of this file was recorded";
        let history = ServerOperation::FileHistory;
        self.question.tell(terminal, history, &params, nothing)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// The id of a session that `nudge log` lists, or the start of it
    session: String,
    #[command(flatten)]
    question: Question,
}

impl Trace {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = Params::default().with("session_id", Some(&*self.session));
        let trace = ServerOperation::SessionTrace;
        self.question
            .tell(terminal, trace, &params, "nothing is left of it")
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo test 2>&1 | nudge fix
  nudge fix could not find directory of OpenSSL")]
pub(crate) struct Fix {
    /// What a command printed that failed, or the command; read from stdin when left out
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    #[command(flatten)]
    question: Question,
}

impl Fix {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let text = match self.text.join(" ") {
            text if !text.is_empty() => Ok(text),
            _ if io::stdin().is_terminal() => Err(misuse(
                "say what the command printed, or type `COMMAND 2>&1 | nudge fix`".to_owned(),
            )),
            _ => stdin(),
        };
        let params = Params::default().with("text", Some(text?));
        let nothing =
            "no fix is proven: nothing is known here that helped twice against this error";
        let fix = ServerOperation::Fix;
        self.question.tell(terminal, fix, &params, nothing)
    }
}
