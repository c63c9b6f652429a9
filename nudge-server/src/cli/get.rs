//! `nudge get`

use clap::Args;
use nudge::{Found, Operation, slot_of};
use serde_json::Value;

use super::context_flags::ContextFlags;
use super::flags::{Params, number};
use super::output::Exit;
use super::pretty;
use super::terminal::{Asked, Terminal};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge get api build
  nudge get api build --branch dev --alternatives 3
  cmd=$(nudge get api build --raw) || cmd=make")]
pub(crate) struct Get {
    /// A service, module or folder by name; `.` is where you are
    component: String,
    /// What the hint is about; all that applies here when left out
    key: Option<String>,
    /// Print the value alone, for $(…)
    #[arg(long, conflicts_with = "json", requires = "key")]
    raw: bool,
    /// Print everything: the score and each reason
    #[arg(short, long, requires = "key")]
    verbose: bool,
    /// How many more variants to show, up to 20
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true, requires = "key")]
    alternatives: Option<Value>,
    #[command(flatten)]
    context: ContextFlags,
}

/// Whether a query found nothing.
fn is_empty(asked: &Asked) -> bool {
    let answer = asked.answer.as_ref().ok();
    let found = answer.and_then(|answer| serde_json::from_str::<Found>(answer.get()).ok());
    found.is_some_and(|found| found.total + found.scoped_out == 0)
}

impl Get {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let context = self.context.given();
        let Some(key) = &self.key else {
            let all = Params::default()
                .with("component", Some(&*self.component))
                .with("limit", Some(100));
            let asked = terminal.ask(Operation::Query, &all, context.as_ref());
            // A component may have a slash in its name; where there is none, it is a slot.
            let slot = slot_of(&self.component).filter(|_| is_empty(&asked));
            if let Some((component, key)) = slot {
                let params = Params::slot(component, key);
                let asked = terminal.ask(Operation::GetHint, &params, context.as_ref());
                return terminal
                    .out
                    .asked(&asked, |page, found| pretty::hint_match(page, found, false));
            }
            return terminal
                .out
                .asked(&asked, |page, found| pretty::found(page, found, false));
        };
        let params =
            Params::slot(&self.component, key).with("alternatives", self.alternatives.clone());
        let asked = terminal.ask(Operation::GetHint, &params, context.as_ref());
        if self.raw {
            return terminal.out.raw(&asked);
        }
        terminal.out.asked(&asked, |page, found| {
            pretty::hint_match(page, found, self.verbose)
        })
    }
}
