//! `Location`: where a command runs, and which project that is.

use super::command_hints::CommandHint;
use crate::api::answer::Ranked;
use crate::command::client::LocationKey;
use crate::command::line::CommandLine;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::scope::component::component_at;
use crate::scope::context::Context;
use crate::store::slot::Slot;

/// Where a command runs.
#[derive(Debug, Clone)]
pub(super) struct Location {
    /// What is known of it.
    pub(super) context: Context,
}

impl Location {
    /// Where a command runs that starts with a `cd`; `None` when that is not known.
    pub(super) fn of(context: &Context, line: &CommandLine) -> Option<Location> {
        let context = context.clone();
        let Some(folder) = &line.folder else {
            return Some(Location { context });
        };
        if folder.starts_with(['~', '-']) || folder.contains(['$', '`', '*', '\\', '"', '\'']) {
            return None;
        }
        let cwd = match context.facts().cwd.as_deref() {
            _ if folder.starts_with('/') => folder.clone(),
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
        let below = cwd.strip_prefix(root.as_str());
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    }

    /// Whether an agent there may be told of a hint.
    pub(super) fn may_tell(&self, hint: &Ranked) -> bool {
        let facts = self.context.facts();
        hint.hint.may_be_told(&hint.component, &hint.key, facts)
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
        let repos = &self.context.facts().repos;
        repos.first().map(crate::scope::repo::Repo::as_str)
    }

    /// The names that a component of this location may have: that of its folder or, where
    /// nobody knows which folder that is, of all around it, the innermost first.
    pub(super) fn names(&self, nudge: &Nudge) -> Vec<Name> {
        let facts = self.context.facts();
        let around = match &facts.root {
            Some(_) if nudge.projects.is_some() => "",
            Some(_) => self.context.folder_below_root(),
            None => facts.cwd.as_deref().unwrap_or_default(),
        };
        let around = around.rsplit('/').filter(|name| !name.is_empty());
        let around: Vec<Name> = around.map(Name::from).collect();
        if !around.is_empty() {
            return around;
        }
        let folder = nudge.folder_at(&self.context);
        component_at(&self.context, &folder).into_iter().collect()
    }

    /// Of hints that apply here, those that are for this folder: their component is its, their
    /// scope names it, or they are of the only component that the repository has.
    pub(super) fn of_this_folder(
        &self,
        nudge: &Nudge,
        mut found: Vec<CommandHint>,
    ) -> Vec<CommandHint> {
        let is_named =
            |known: &CommandHint, name: &Name| known.hint.component.eq_ignore_ascii_case(name);
        let names = self.names(nudge).into_iter();
        let mut names = names.filter(|name| found.iter().any(|known| is_named(known, name)));
        let name = names.next().or_else(|| self.only_component(nudge));
        found.retain(|known| {
            name.as_ref().is_some_and(|name| is_named(known, name)) || self.is_named_by(&known.hint)
        });
        found
    }

    /// Whether the scope of a hint that applies here names this folder, and not all of the
    /// worktree.
    fn is_named_by(&self, hint: &Ranked) -> bool {
        let names_folders = hint
            .hint
            .scope()
            .is_some_and(|scope| scope.cwd_glob.is_some());
        let root = self.context.facts().root.clone();
        let at_root = root.map(|root| self.context.clone().cwd(root));
        names_folders && !at_root.is_some_and(|root| hint.hint.applies(root.facts()))
    }

    /// The component with the repository's name, if no hint of the repository has another.
    fn only_component(&self, nudge: &Nudge) -> Option<Name> {
        let name = component_at(&self.context, "")?;
        let repo = self.repo()?;
        let is_other = |slot: &Slot| {
            let mut hints = slot.live(nudge.now()).filter_map(|hint| hint.scope());
            let is_here = |scope: &Scope| {
                let repos = scope.repo.as_ref();
                repos.is_some_and(|repos| repos.iter().any(|known| known == repo))
            };
            !slot.component.eq_ignore_ascii_case(&name) && hints.any(is_here)
        };
        (!nudge.read().slots().any(is_other)).then_some(name)
    }
}
