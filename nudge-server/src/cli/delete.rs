//! `nudge delete`

use clap::Args;
use nudge::Operation;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::Exit;
use super::pretty;
use super::scope_flags::ScopeFlags;
use super::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// A service, module or folder by name; `.` is where you are
    component: String,
    /// What the hint is about
    key: String,
    /// Every variant
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    context: ContextFlags,
}

impl Delete {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::slot(&self.component, &self.key)
            .with("scope", self.scope.given())
            .with_switch("all", self.all);
        let asked = terminal.choose(
            Operation::DeleteHint,
            &params,
            self.context.given().as_ref(),
        );
        terminal.out.asked(&asked, pretty::deleted)
    }
}
