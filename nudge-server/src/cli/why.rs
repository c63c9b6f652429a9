//! `nudge why`

use std::sync::Arc;

use clap::Args;
use nudge::{Exported, Found, Hint, HintMatch, Operation, kind_of_command};

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::ls::pitfall;
use super::observations::cite;
use super::output::{Exit, Page};
use super::pretty_why;
use super::slot::SlotArgs;
use super::terminal::{Terminal, read};
use super::week;
use crate::observe::answers::Pitfalls;
use crate::primary::operations::ServerOperation;
use crate::wire::Fault;

#[derive(Debug, Args)]
pub(crate) struct Why {
    #[command(flatten)]
    slot: SlotArgs,
    #[command(flatten)]
    context: ContextFlags,
}

impl Why {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (component, key) = self.slot.names(terminal)?;
        // A get tells the order in which variants are chosen, a query what
        // keeps the others away.
        let get = Params::slot(&component, &key).with("alternatives", Some(20));
        let all = Params::default()
            .with("component", Some(&*component))
            .with("keys", Some(vec![&*key]))
            .with("limit", Some(100))
            .with_switch("include_ineligible", true);
        let given = self.context.given();
        let chosen = terminal.ask(Operation::GetHint, &get, given.as_ref());
        let found = terminal.ask(Operation::Query, &all, given.as_ref());
        let cite = |page: &mut Page, hint: &Hint| cite(page, hint, terminal, given.as_ref());
        let pretty = |page: &mut Page, chosen: Option<&HintMatch>, found: &Found| {
            let mut away = found.ineligible.iter().flatten();
            let own = away.next().map(|_| own(terminal, &component, &key));
            let own = own.unwrap_or_default();
            let exit = pretty_why::why(page, (chosen, found), &own, cite);
            let value = chosen.map(|chosen| chosen.hint.value.text());
            let asked = ServerOperation::GetPitfalls;
            let known = terminal.ask(asked, &Params::default(), given.as_ref());
            let known = known.answer.and_then(|known| read::<Pitfalls>(&known));
            for known in known.unwrap_or_default().pitfalls {
                let is_kind = kind_of_command(&known.command) == Some(&*key);
                if is_kind || value.is_some() && known.instead.as_deref() == value.as_deref() {
                    page.line(&pitfall(&known));
                }
            }
            if let Some(told) = week::told_of(terminal, &component, &key) {
                page.dim(&told);
            }
            exit
        };
        Ok(terminal.out.both(&chosen, &found, pretty))
    }
}

/// The user's own variants, wherever they apply; none in an agent's shell.
fn own(terminal: &Terminal, component: &str, key: &str) -> Vec<Arc<Hint>> {
    let all = Params::default().with("component", Some(component));
    let answer = terminal.call_here(Operation::Export, &all);
    let all = answer.and_then(|all| read::<Exported>(&all));
    let Ok(all) = all.map(|all| all.payload) else {
        return Vec::new();
    };
    let hints = all.hints().filter(|(_, known, hint)| {
        let is_asked = known.as_str() == key && terminal.shell().is_none();
        is_asked && hint.is_users()
    });
    hints.map(|(_, _, hint)| Arc::clone(hint)).collect()
}
