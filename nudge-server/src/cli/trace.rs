//! `nudge trace`

use clap::Args;

use super::flags::Params;
use super::observations::Question;
use super::output::Exit;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// The id of a session that `nudge log` lists, or the start of it
    session: String,
    #[command(flatten)]
    question: Question,
}

impl Trace {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default().with("session_id", Some(&*self.session));
        self.question.tell(
            terminal,
            ServerOperation::SessionTrace,
            &params,
            "nothing is left of it",
        )
    }
}
