//! What works in the folders below: told at a start, with where it runs.

use std::sync::Arc;

use crate::api::reach::Reach;
use crate::command::form::in_folder;
use crate::command::safety::is_plain_command;
use crate::hint::{Command, Hint, HintValue};
use crate::nudge::Nudge;
use crate::rank::prompt_block::Declared;
use crate::scope::context::Context;

impl Nudge {
    /// The commands that were learned in folders below a context and are the best ones there,
    /// as they run from here; the one that was used last first.
    pub(super) fn learned_below(&self, reach: &Reach<'_>, context: &Context) -> Vec<Declared> {
        let facts = context.facts();
        let (Some(root), Some(repo)) = (facts.root.as_deref(), facts.repos.first()) else {
            return Vec::new();
        };
        let here = match context.folder_below_root() {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let now = self.clock.now();
        let store = self.read();
        let learned = store.learned_by_use(now).filter_map(|(names, hint)| {
            let scope = hint.scope()?;
            let is_repos = scope.repo.as_deref() == Some(&[repo.as_str().to_owned()]);
            let glob = scope.cwd_glob.as_deref().filter(|_| is_repos)?.first()?;
            let folder = glob.strip_prefix("./")?.strip_suffix("/**")?;
            let from_here = folder.strip_prefix(&*here)?;
            let there = context.clone().cwd(format!("{root}/{folder}"));
            let at = self.query_context(reach, &there, now);
            let best = store.slot(&names.0, &names.1)?.best(at)?;
            let command = in_folder(&hint.value.text(), from_here);
            let is_told = Arc::ptr_eq(best.hint, hint)
                && is_plain_command(from_here)
                && hint.may_be_told(&names.0, &names.1, there.facts());
            is_told.then(|| Declared {
                component: names.0,
                key: names.1,
                hint: Arc::new(Hint {
                    value: HintValue::Command(Command::new(command)),
                    ..Hint::clone(hint)
                }),
                folder: folder.to_owned(),
                is_here: false,
            })
        });
        let mut learned: Vec<_> = learned.collect();
        drop(store);
        learned.reverse();
        learned.retain(|one| {
            let checked = self.check_anchors(&one.hint, facts);
            !checked.is_some_and(|checked| checked.is_gone())
        });
        learned
    }
}
