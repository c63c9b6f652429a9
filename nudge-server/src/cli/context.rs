//! `nudge context`

use std::collections::{BTreeMap, BTreeSet};

use nudge::{ContextSets, Name};
use serde_json::Map;

use super::prelude::*;
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
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let Context { items, clear, .. } = self;
        Ok(match &self.name {
            Some(name) if *clear || !items.is_empty() => {
                let set = self.set(terminal, [(name.clone(), json!(items))]);
                terminal.out.asked(&set.into(), |page, sets: &ContextSets| {
                    print_set(page, name, sets)
                })
            }
            None if *clear => {
                let all = self.clear_all(terminal).into();
                terminal.out.asked(&all, |page, _: &ContextSets| {
                    page.done("took all sets away");
                    Exit::Done
                })
            }
            name => {
                let params = Params::default().with("name", name.as_deref());
                let (get, print) = (Operation::GetContext, shown_sets);
                terminal.tell(get, &params, None, print)?
            }
        })
    }

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
        let all = terminal.ask(Operation::GetContext, &Params::default(), None);
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

/// Every set that was asked for, then those of others here.
fn shown_sets(page: &mut Page, context: &ContextSets) -> Exit {
    let has_own = show(page, &context.sets, &context.gone);
    for other in &context.others {
        let who = other.client.as_deref().unwrap_or("somebody");
        let how = ["also at work here,", "left unfinished by"][usize::from(other.ended)];
        page.dim(&format!("{how} {}:", shown(who)));
        show(page, &other.sets, &other.gone);
    }
    let nothing = "nothing yet; `nudge context NAME ITEM…` says what is being worked on";
    page.listed(has_own || !context.others.is_empty(), nothing)
}

/// Shows somebody's sets, and whether there are any.
fn show(page: &mut Page, sets: &BTreeMap<Name, Vec<String>>, gone: &BTreeMap<Name, usize>) -> bool {
    let names: BTreeSet<_> = sets.keys().chain(gone.keys()).collect();
    for name in &names {
        page.line(&format!("{}:", shown(name)));
        list(page, sets.get(*name).map_or(&[], Vec::as_slice));
        match gone.get(*name) {
            None => {}
            Some(1) => page.dim("  and 1 that is not there"),
            Some(gone) => page.dim(&format!("  and {gone} that are not there")),
        }
    }
    !names.is_empty()
}

/// One set after it was set, and what that did to others.
fn print_set(page: &mut Page, name: &str, context: &ContextSets) -> Exit {
    let items = context.sets.get(name).map_or(&[][..], Vec::as_slice);
    if items.is_empty() {
        page.done(&format!("took {} away", shown(name)));
    } else {
        let items = count(items.len(), "item");
        page.done(&format!("{} has {items}", shown(name)));
    }
    list(page, items);
    for (set, items) in &context.dropped {
        let items: Vec<_> = items.iter().map(|item| shown(item)).collect();
        let (set, items) = (shown(set), items.join(", "));
        page.line(&format!("dropped from {set}: {items}"));
    }
    for (set, nearest) in &context.nearest {
        let (set, nearest) = (shown(set), shown(nearest));
        page.line(&format!("`{set}` is new; did you mean `{nearest}`?"));
    }
    Exit::Done
}

fn list(page: &mut Page, items: &[String]) {
    for item in items {
        page.line(&format!("  {}", shown(item)));
    }
}
