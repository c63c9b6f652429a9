//! `nudge fix`

use std::io::{self, IsTerminal};

use clap::Args;

use super::flags::Params;
use super::observations::Question;
use super::output::Exit;
use super::terminal::{Terminal, misuse, stdin};
use crate::primary::operations::ServerOperation;
use crate::wire::Fault;

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
        Ok(self.question.tell(terminal, fix, &params, nothing))
    }
}
