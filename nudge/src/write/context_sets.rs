//! Context sets: what is being worked on, under names such as `files` and `ports`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api::context_sets::{ContextItem, ContextMode, ContextSets, SetContext};
use crate::config::Config;
use crate::hint::working_set::{KNOWN, WorkingSet};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;
use crate::write::validate::check_item;

/// The most items of one set, and of all sets together.
const MAX_IN_SET: usize = 10;
pub(crate) const MAX_IN_ALL: usize = 50;

impl SetContext {
    /// The change that puts the items in their sets.
    pub(crate) fn plan(
        self,
        on: WriteContext<'_>,
    ) -> Result<(Vec<ChangeKind>, ContextSets), Error> {
        let before = on.store.working_set();
        let mut after = WorkingSet::clone(before);
        let mut answer = ContextSets::default();
        if self.sets.is_empty() {
            let words = "sets names no set; give one as in {\"files\": [\"src/main.rs\"]}";
            return Err(Error::invalid("sets", "empty", words));
        }
        for (name, items) in self.sets {
            let items = checked(&name, items, "sets", on.config)?;
            let is_new = !before.has(&name) && !KNOWN.contains(&name.as_str());
            if is_new && let Some(known) = before.nearest(&name) {
                answer.nearest.insert(name.clone(), known);
            }
            if self.mode == ContextMode::Replace {
                after.clear(&name);
            }
            merge(&mut after, &name, items, &mut answer.dropped);
        }
        after.trim(MAX_IN_ALL, None, &mut answer.dropped);
        answer.sets = after.by_name();
        Ok((change(before, after).into_iter().collect(), answer))
    }
}

/// The change after which this is being worked on, if it is another thing.
pub(crate) fn change(before: &WorkingSet, after: WorkingSet) -> Option<ChangeKind> {
    (after != *before).then(|| ChangeKind::Context {
        working_set: Arc::new(after),
    })
}

/// Checks a set, and gives its items as texts.
pub(crate) fn checked(
    name: &Name,
    items: Vec<ContextItem>,
    field: &'static str,
    config: &Config,
) -> Result<Vec<String>, Error> {
    name.check(field)?;
    check_item(name, field, config)?;
    let field = format!("{field}.{name}");
    let items = items.into_iter().map(ContextItem::into_text);
    items
        .map(|item| check_item(&item, &field, config).map(|()| item))
        .collect()
}

/// Adds items to a set as the newest, and lets the oldest of it go.
pub(crate) fn merge(
    after: &mut WorkingSet,
    name: &Name,
    items: impl IntoIterator<Item = String>,
    dropped: &mut BTreeMap<Name, Vec<String>>,
) {
    for item in items {
        after.add(name.clone(), item);
    }
    after.trim(MAX_IN_SET, Some(name), dropped);
}
