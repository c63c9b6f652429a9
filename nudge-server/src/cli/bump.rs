//! `nudge bump`

use super::place_flags::ScopeFlags;
use super::prelude::*;
use super::slot::SlotArgs;

#[derive(Debug, Args)]
pub(crate) struct Bump {
    #[command(flatten)]
    slot: SlotArgs,
    /// How many uses to add, up to 1000
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    delta: Option<Value>,
    /// What came of using it: `ok` or `fail`
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<String>,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    context: ContextFlags,
}

impl Bump {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = Params::default()
            .with("delta", self.delta.clone())
            .with("outcome", self.outcome.as_deref())
            .with("scope", self.scope.given());
        let has_failed = self.outcome.as_deref() == Some("fail");
        let given = self.context.given();
        let asked = self.slot.ask(terminal, Operation::Bump, params, given)?;
        let out = &terminal.out;
        Ok(out.asked(&asked, |page, it| pretty::bumped(page, it, has_failed)))
    }
}
