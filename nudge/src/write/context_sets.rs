//! Context sets: what is being worked on, under names such as `files` and `ports`.

use std::sync::Arc;

use crate::api::context_sets::{ContextMode, ContextSets, SetContext};
use crate::hint::working_set::{KNOWN, WorkingSet};
use crate::model::error::Error;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;
use crate::write::validate::check_item;

/// The most items of one set, and of all sets together.
const MAX_IN_SET: usize = 10;
const MAX_IN_ALL: usize = 50;

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
            name.check("sets")?;
            check_item(&name, "sets", on.config)?;
            let is_new = !before.has(&name) && !KNOWN.contains(&name.as_str());
            if is_new && let Some(known) = before.nearest(&name) {
                answer.nearest.insert(name.clone(), known);
            }
            if self.mode == ContextMode::Replace {
                after.clear(&name);
            }
            for item in items {
                let item = item.into_text();
                check_item(&item, &format!("sets.{name}"), on.config)?;
                after.add(name.clone(), item);
            }
            after.trim(MAX_IN_SET, Some(&name), &mut answer.dropped);
        }
        after.trim(MAX_IN_ALL, None, &mut answer.dropped);
        answer.sets = after.by_name();
        let changed = (after != **before).then(|| ChangeKind::Context {
            working_set: Arc::new(after),
        });
        Ok((changed.into_iter().collect(), answer))
    }
}
