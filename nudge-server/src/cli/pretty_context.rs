//! How `nudge context` reads for people.

use std::collections::{BTreeMap, BTreeSet};

use nudge::{ContextSets, Name};

use super::output::{Exit, Page};
use super::pretty::count;
use crate::wire::escape::shown;

/// Every set that was asked for, then those of others here.
pub(crate) fn shown_sets(page: &mut Page, context: &ContextSets) -> Exit {
    let has_own = show(page, &context.sets, &context.gone);
    for other in &context.others {
        let who = other.client.as_deref().unwrap_or("somebody");
        let how = if other.ended {
            "left unfinished by"
        } else {
            "also at work here,"
        };
        page.dim(&format!("{how} {}:", shown(who)));
        show(page, &other.sets, &other.gone);
    }
    if !has_own && context.others.is_empty() {
        page.line("nothing yet; `nudge context NAME ITEM…` says what is being worked on");
        return Exit::Nothing;
    }
    Exit::Done
}

/// Shows somebody's sets, and whether there are any.
fn show(page: &mut Page, sets: &BTreeMap<Name, Vec<String>>, gone: &BTreeMap<Name, usize>) -> bool {
    let names: BTreeSet<_> = sets.keys().chain(gone.keys()).collect();
    for name in &names {
        page.line(&format!("{}:", shown(name)));
        list(page, sets.get(*name).map_or(&[], Vec::as_slice));
        match gone.get(*name) {
            None => {}
            Some(1) => page.dim("  and 1 that no longer exists"),
            Some(gone) => page.dim(&format!("  and {gone} that no longer exist")),
        }
    }
    !names.is_empty()
}

/// One set after it was set, and what that did to others.
pub(crate) fn set(page: &mut Page, name: &str, context: &ContextSets) -> Exit {
    let items = context.sets.get(name).map_or(&[][..], Vec::as_slice);
    if items.is_empty() {
        page.marked("✔", &format!("took {} away", shown(name)));
    } else {
        let items = count(items.len(), "item");
        page.marked("✔", &format!("{} has {items}", shown(name)));
    }
    list(page, items);
    for (set, items) in &context.dropped {
        let items: Vec<_> = items.iter().map(|item| shown(item)).collect();
        page.line(&format!(
            "dropped from {}: {}",
            shown(set),
            items.join(", ")
        ));
    }
    for (set, nearest) in &context.nearest {
        let (set, nearest) = (shown(set), shown(nearest));
        page.line(&format!("`{set}` is new; did you mean `{nearest}`?"));
    }
    Exit::Done
}

/// That there are no sets any more.
pub(crate) fn cleared(page: &mut Page, _: &ContextSets) -> Exit {
    page.marked("✔", "took all sets away");
    Exit::Done
}

fn list(page: &mut Page, items: &[String]) {
    for item in items {
        page.line(&format!("  {}", shown(item)));
    }
}
