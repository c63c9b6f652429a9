//! `nudge get`

use nudge::{Found, Query, suggest};

use super::failure::{exit, is_out_of_scope};
use super::prelude::*;
use super::slot::named;
use super::terminal::Asked;
use crate::proxy::infer::HERE;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge get test
  nudge get api build --branch dev --alternatives 3
  cmd=$(nudge get api/build --raw) || cmd=make")]
pub(crate) struct Get {
    /// A key of where you are, a component, or COMPONENT/KEY; `.` is where you are
    component: String,
    /// What the hint is about
    key: Option<String>,
    /// Print the value alone, for $(…)
    #[arg(long, conflicts_with = "json")]
    raw: bool,
    /// Print everything: the score and each reason
    #[arg(short, long)]
    verbose: bool,
    /// How many more variants to show, up to 20
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    alternatives: Option<Value>,
    #[command(flatten)]
    context: ContextFlags,
}

impl Get {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let get = |component: &str, key: &str| {
            let params =
                Params::slot(component, key).with("alternatives", self.alternatives.clone());
            terminal.ask(Operation::GetHint, &params, self.context.given())
        };
        if let Some(key) = &self.key {
            return Ok(self.write(terminal, &get(&self.component, key)));
        }
        // One name is a key of where the caller is, else a component, and only a hint is raw.
        let (component, key) = named(terminal, &self.component)?;
        let is_split = component != HERE;
        let is_one = self.component != HERE && (self.raw || !is_split);
        let one = is_one.then(|| get(&component, &key));
        let is_nothing = |fault: &Fault| exit(&Error::from(fault)) == Exit::Nothing;
        let stands = |one: &&Asked| self.raw || !one.answer.as_ref().is_err_and(is_nothing);
        if let Some(one) = one.as_ref().filter(stands) {
            return Ok(self.write(terminal, one));
        }
        let all = Query::new().component(self.component.trim_end_matches('/'));
        let all = terminal.ask(Operation::Query, &all.limit(100), self.context.given());
        let found = all.answer.as_ref().ok();
        let found = found.and_then(|found| read::<Found>(found).ok());
        let none = found.filter(|found| found.total + found.scoped_out == 0);
        // A component may have a slash in its name; where there is none, it is a slot.
        if is_split && none.is_some() {
            return Ok(self.write(terminal, &get(&component, &key)));
        }
        // Where no component is, and none is nearly called so, a hint was meant.
        if let (Some(none), Some(one)) = (none, one) {
            let names: Vec<&str> = none.nearest.iter().map(AsRef::as_ref).collect();
            let is_away = |fault: &Fault| is_out_of_scope(&Error::from(fault));
            let is_away = one.answer.as_ref().is_err_and(is_away);
            if is_away || suggest(&self.component, &names).is_none() {
                return Ok(self.write(terminal, &one));
            }
        }
        let print = |page: &mut Page, found: &Found| pretty::found(page, found, false);
        Ok(terminal.out.asked(&all, print))
    }

    fn write(&self, terminal: &Terminal, asked: &Asked) -> Exit {
        if self.raw || terminal.out.quiet && !terminal.out.json {
            return terminal.out.raw(asked);
        }
        terminal.out.asked(asked, |page, found| {
            pretty::hint_match(page, found, self.verbose)
        })
    }
}
