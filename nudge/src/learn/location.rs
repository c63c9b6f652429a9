//! `Location`: where a command runs, and which project that is.

use std::sync::Arc;

use super::command_hints::CommandHint;
use crate::api::answer::Ranked;
use crate::api::request::GetHint;
use crate::command::client::LocationKey;
use crate::command::line::CommandLine;
use crate::command::step::Step;
use crate::hint::Hint;
use crate::model::rate_limit::lasting_print;
use crate::nudge::Nudge;
use crate::scope::component::component_at;
use crate::scope::context::Context;
use crate::scope::path::is_below;

/// Where a command runs.
#[derive(Debug, Clone)]
pub(super) struct Location {
    /// What is known of it.
    pub(super) context: Context,
}

impl Location {
    /// The place of a context.
    pub(super) fn at(context: &Context) -> Location {
        let context = context.clone();
        Location { context }
    }

    /// Where a command runs that starts with a `cd`; `None` when that is not known.
    pub(super) fn of(context: &Context, line: &CommandLine) -> Option<Location> {
        let at = Location::at(context);
        match &line.folder {
            Some(folder) => at.moved(folder),
            None => Some(at),
        }
    }

    /// Another folder, from here.
    pub(super) fn moved(&self, folder: &str) -> Option<Location> {
        let context = self.context.clone();
        if folder.starts_with(['~', '-']) || folder.contains(['$', '`', '*', '\\', '"', '\'']) {
            return None;
        }
        let cwd = match context.facts().cwd.as_deref() {
            _ if folder.starts_with('/') => folder.to_owned(),
            Some(cwd) => format!("{cwd}/{folder}"),
            None => return None,
        };
        Some(Location {
            context: context.cwd(cwd),
        })
    }

    /// Whether it is in the worktree whose repository and branch are known.
    pub(super) fn is_in_worktree(&self) -> bool {
        let facts = self.context.facts();
        let (Some(cwd), Some(root)) = (&facts.cwd, &facts.root) else {
            return true;
        };
        is_below(cwd, root)
    }

    /// Whether an agent there may be told of a hint.
    pub(super) fn may_tell(&self, hint: &Ranked) -> bool {
        let facts = self.context.facts();
        hint.hint.may_be_told(&hint.component, &hint.key, facts)
    }

    /// What a get would answer for a step in a folder.
    pub(super) fn served(&self, nudge: &Nudge, folder: &str, step: Step) -> Option<Arc<Hint>> {
        let component = component_at(&self.context, folder)?;
        let get = GetHint::new(component, step.name()).context(&self.context);
        Some(nudge.get_hint(get).ok()?.hint)
    }

    /// What makes it the same as another one.
    pub(super) fn key(&self) -> LocationKey {
        LocationKey {
            repo: self.repo().map(str::to_owned),
            cwd: self.context.facts().cwd.clone(),
        }
    }

    /// Its repository, in the spelling that scopes have.
    pub(super) fn repo(&self) -> Option<&str> {
        self.context.facts().repo()
    }

    /// Its branch, as it is written down with runs.
    pub(super) fn branch_print(&self) -> u64 {
        let branch = self.context.facts().branch.as_deref();
        lasting_print(branch.unwrap_or_default())
    }

    /// Its repository, where what runs there is to be remembered.
    pub(super) fn book(&self, nudge: &Nudge) -> Option<&str> {
        let is_known = self.is_in_worktree() && nudge.knows_root(&self.context);
        self.repo().filter(|_| is_known)
    }

    /// Of hints that apply here, those that are for this folder.
    pub(super) fn of_this_folder(
        &self,
        nudge: &Nudge,
        mut found: Vec<CommandHint>,
    ) -> Vec<CommandHint> {
        let home = nudge.home(&self.context);
        let components = found.iter().map(|known| &known.hint.component);
        let component = home.component(&components).cloned();
        found.retain(|known| {
            let (name, hint) = (&known.hint.component, &known.hint.hint);
            component
                .as_ref()
                .is_some_and(|own| own.eq_ignore_ascii_case(name))
                || home.is_named_by(hint)
        });
        found
    }
}
