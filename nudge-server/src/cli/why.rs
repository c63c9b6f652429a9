//! `nudge why`

use clap::Args;
use nudge::Operation;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::Exit;
use super::pretty_why;
use super::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// A service, module or folder by name; `.` is where you are
    component: String,
    /// What the hint is about
    key: String,
    #[command(flatten)]
    context: ContextFlags,
}

impl Why {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        // A get tells the order in which variants are chosen, a query what
        // keeps the others away.
        let get = Params::slot(&self.component, &self.key).with("alternatives", Some(20));
        let all = Params::default()
            .with("component", Some(&*self.component))
            .with("keys", Some(vec![&*self.key]))
            .with("limit", Some(100))
            .with_switch("include_ineligible", true);
        let given = self.context.given();
        let chosen = terminal.ask(Operation::GetHint, &get, given.as_ref());
        let found = terminal.ask(Operation::Query, &all, given.as_ref());
        terminal.out.both(&chosen, &found, pretty_why::why)
    }
}
