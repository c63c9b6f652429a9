//! What works in other folders: told at a start, with where it runs.

use std::sync::Arc;

use crate::api::reach::Reach;
use crate::command::form::in_folder;
use crate::command::programs::has;
use crate::command::safety::is_plain_command;
use crate::hint::{Command, Hint, HintValue};
use crate::nudge::Nudge;
use crate::rank::prompt_block::{Declared, learned_in};
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
            let is_repos = hint.repos() == Some(&[repo.as_str().to_owned()]);
            let folder = learned_in(hint).filter(|folder| is_repos && !folder.is_empty())?;
            let from_here = folder.strip_prefix(&*here)?;
            let there = context.clone().cwd(format!("{root}/{folder}"));
            let at = self.query_context(reach, &there, now);
            let best = store.slot(&names.0, &names.1)?.best(at)?;
            let is_told = Arc::ptr_eq(best.hint, hint)
                && is_plain_command(from_here)
                && hint.may_be_told(&names.0, &names.1, there.facts());
            is_told.then(|| Declared {
                component: names.0,
                key: names.1,
                hint: moved(hint, from_here),
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

    /// What a command of a folder is where a context is: what looks for its manifest above is the
    /// same in a folder that has none, anything else says where it runs. What is another folder's
    /// is none here.
    pub(super) fn run_from(&self, context: &Context, hint: &Hint, of: &str) -> Option<Arc<Hint>> {
        let here = context.folder_below_root();
        if of != here && of != self.folder_at(context) {
            return None;
        }
        let inside = here.strip_prefix(of).unwrap_or_default();
        let up: Vec<&str> = inside.split('/').filter(|name| !name.is_empty()).collect();
        let text = hint.value.text();
        let program = text.split(' ').next().unwrap_or_default();
        let is_same = up.is_empty() || has(LOOK_UP, program) && !text.contains('/');
        let up = vec![".."; up.len()].join("/");
        Some(if is_same {
            Arc::new(hint.clone())
        } else {
            moved(hint, &up)
        })
    }
}

/// Programs that look for their manifest in the folders above.
const LOOK_UP: &str = "npm pnpm yarn bun deno cargo uv poetry pdm hatch just task mise rake bundle";

/// A command as it runs from elsewhere.
fn moved(hint: &Hint, folder: &str) -> Arc<Hint> {
    let command = in_folder(&hint.value.text(), folder);
    Arc::new(Hint {
        value: HintValue::Command(Command::new(command)),
        ..hint.clone()
    })
}
