//! `nudge history`, `nudge trace` and `nudge fix`

use std::io::{self, IsTerminal};

use super::observations::Question;
use super::prelude::*;
use super::terminal::stdin;

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
