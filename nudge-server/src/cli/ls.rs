//! `nudge ls`

use clap::Args;
use nudge::{Exported, Found, Operation};
use serde_json::{Map, Value, json};

use super::context_flags::ContextFlags;
use super::output::Exit;
use super::pretty_table::{self, Row};
use super::terminal::{Terminal, read};
use super::{flags::Params, pretty};
use crate::platform::stdio::columns;
use crate::wire::Fault;

#[derive(Debug, Args)]
pub(crate) struct Ls {
    /// The component whose keys to list; `*` in it is any text, `?` a character
    component: Option<String>,
    /// Show each hint: its value, where it applies, uses, age, and who says so
    #[arg(short, long)]
    long: bool,
    /// Only what applies here
    #[arg(long)]
    here: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Ls {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default().with("component", self.component.as_deref());
        let here = || self.here.then(|| Value::Object(Map::new()));
        let context = self.context.given().or_else(here);
        if self.long {
            return self.table(terminal, params, context.as_ref());
        }
        let asked = terminal.choose(Operation::ListComponents, &params, context.as_ref());
        terminal.out.asked(&asked, |page, components| {
            pretty::components(page, components, self.component.as_deref())
        })
    }

    /// Every hint as a line; what it may not show is masked.
    fn table(&self, terminal: &Terminal, params: Params, context: Option<&Value>) -> Exit {
        let rows: Result<Vec<Row>, Fault> = if context.is_some() {
            let params = params.with("limit", Some(100));
            let asked = terminal.ask(Operation::Query, &params, context).answer;
            asked.and_then(|found| read::<Found>(&found)).map(|found| {
                let rows = found.hints.iter();
                rows.map(|one| Row::new(&one.component, &one.key, &one.hint))
                    .collect()
            })
        } else {
            let params = params.with_switch("include_secrets", terminal.shell().is_none());
            let asked = terminal.call_here(Operation::Export, &params);
            asked.and_then(|all| read::<Exported>(&all)).map(|all| {
                let rows = all.payload.hints();
                rows.map(|(component, key, hint)| Row::new(component, key, hint))
                    .collect()
            })
        };
        let rows = match rows {
            Ok(rows) => rows,
            Err(fault) => return terminal.out.print_word(Err(fault)),
        };
        let json = json!({ "hints": rows });
        terminal.out.value(&json, |page| {
            if rows.is_empty() {
                return pretty::nothing_listed(page, self.component.as_deref());
            }
            pretty_table::write(page, &rows, columns());
            Exit::Done
        })
    }
}
