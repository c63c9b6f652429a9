//! `nudge context`

use std::collections::BTreeSet;

use clap::Args;
use nudge::{ContextSets, Operation};
use serde_json::{Map, Value, json};

use super::flags::Params;
use super::output::Exit;
use super::pretty_context;
use super::terminal::Terminal;
use crate::proxy::infer;
use crate::wire::Answer;

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// A set: files, endpoints, ports, intent, or a name of your own
    name: Option<String>,
    /// What it holds from now on, the newest last
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// Keep what it holds, beside the new items
    #[arg(long, requires = "items")]
    merge: bool,
    /// Take the set away, or all sets
    #[arg(long, conflicts_with_all = ["items", "merge"])]
    clear: bool,
}

impl Context {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let Context { items, clear, .. } = self;
        match &self.name {
            Some(name) if *clear || !items.is_empty() => {
                let set = self.set(terminal, [(name.clone(), json!(items))]);
                terminal.out.asked(&set.into(), |page, sets: &ContextSets| {
                    pretty_context::set(page, name, sets)
                })
            }
            None if *clear => {
                let cleared = self.clear_all(terminal).into();
                terminal.out.asked(&cleared, pretty_context::cleared)
            }
            name => {
                let params = Params::default().with("name", name.as_deref());
                let asked = terminal.choose(Operation::GetContext, &params, None);
                terminal.out.asked(&asked, pretty_context::shown_sets)
            }
        }
    }

    /// Says what sets hold.
    fn set(&self, terminal: &Terminal, sets: impl IntoIterator<Item = (String, Value)>) -> Answer {
        let sets = sets.into_iter().collect::<Map<_, _>>();
        let mut params = Map::from_iter([("sets".to_owned(), Value::Object(sets))]);
        if self.merge {
            params.insert("mode".to_owned(), json!("merge"));
        }
        infer::place(Operation::SetContext.into(), &mut params);
        terminal.call(Operation::SetContext, &Value::Object(params).to_string())
    }

    /// Takes every set away, also one of which nothing is listed any more.
    fn clear_all(&self, terminal: &Terminal) -> Answer {
        let all = terminal.choose(Operation::GetContext, &Params::default(), None);
        let all = all.answer?;
        let Ok(ContextSets { sets, gone, .. }) = serde_json::from_str(all.get()) else {
            return Ok(all);
        };
        let names: BTreeSet<String> = sets
            .keys()
            .chain(gone.keys())
            .map(ToString::to_string)
            .collect();
        if names.is_empty() {
            return Ok(all);
        }
        self.set(terminal, names.into_iter().map(|name| (name, json!([]))))
    }
}
