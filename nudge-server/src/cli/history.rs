//! `nudge history`

use clap::Args;
use serde_json::Value;

use super::flags::{Params, number};
use super::observations::Question;
use super::output::Exit;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

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
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default().with("file_path", Some(&*self.path));
        let params = params.with("limit", self.limit.clone());
        let (history, nothing) = (
            ServerOperation::FileHistory,
            "no change of this file was recorded",
        );
        self.question.tell(terminal, history, &params, nothing)
    }
}
