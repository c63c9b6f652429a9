//! `nudge fix`

use std::io::{self, IsTerminal};

use clap::Args;
use serde::Deserialize;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty::count;
use super::pretty_observations::{Seen, ids, preview};
use super::terminal::{Terminal, misuse, stdin};
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo test 2>&1 | nudge fix
  nudge fix could not find directory of OpenSSL")]
pub(crate) struct Fix {
    /// What a command printed that failed; read from stdin when left out
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    /// Print the numbers of observations alone
    #[arg(long)]
    ids: bool,
    #[command(flatten)]
    context: ContextFlags,
}

/// What is printed of an answer.
#[derive(Deserialize)]
struct Fixes {
    seen: usize,
    fixes: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    #[serde(flatten)]
    seen: Seen,
    times: usize,
    command: String,
}

impl Fix {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let text = if !self.text.is_empty() {
            Ok(self.text.join(" "))
        } else if io::stdin().is_terminal() {
            let words = "say what the command printed, or type `COMMAND 2>&1 | nudge fix`";
            Err(misuse(words.to_owned()))
        } else {
            stdin()
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => return terminal.out.print_word(Err(error.into())),
        };
        let params = Params::default().with("text", Some(text));
        let given = self.context.given();
        let asked = terminal.ask(ServerOperation::Fix, &params, given.as_ref());
        terminal.out.asked(&asked, |page, fixes: &Fixes| {
            if self.ids {
                return ids(page, fixes.fixes.iter().map(|fix| &fix.seen));
            }
            write(page, fixes)
        })
    }
}

fn write(page: &mut Page, fixes: &Fixes) -> Exit {
    for fix in &fixes.fixes {
        fix.seen.write(page, true);
        let (times, command) = (count(fix.times, "time"), preview(&fix.command));
        page.dim(&format!(
            "    helped {times}; after that `{command}` worked"
        ));
    }
    if !fixes.fixes.is_empty() {
        return Exit::Done;
    }
    page.line(&match fixes.seen {
        0 => "no fix is known: this error never went away here".to_owned(),
        seen => {
            let times = count(seen, "time");
            format!(
                "no fix is proven: this error went away {times} here, by nothing that helped twice"
            )
        }
    });
    Exit::Nothing
}
