//! `Place`: where a command runs, and whose place it is.

use super::known::Known;
use crate::command::client::Spot;
use crate::command::line::CommandLine;
use crate::scope::context::Context;

/// Where a command runs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// What is known of it.
    pub(super) context: Context,
}

impl Place {
    /// Where a command runs that starts with a `cd`; `None` when that cannot be told.
    pub(super) fn of(context: &Context, line: &CommandLine) -> Option<Place> {
        let context = context.clone();
        let Some(folder) = &line.folder else {
            return Some(Place { context });
        };
        if folder.starts_with(['~', '-']) || folder.contains(['$', '`', '*', '\\', '"', '\'']) {
            return None;
        }
        let cwd = match context.facts().cwd.as_deref() {
            _ if folder.starts_with('/') => folder.clone(),
            Some(cwd) => format!("{cwd}/{folder}"),
            None => return None,
        };
        Some(Place {
            context: context.cwd(cwd),
        })
    }

    /// What makes it the same as another place.
    pub(super) fn spot(&self) -> Spot {
        Spot {
            repo: self.repo().map(str::to_owned),
            cwd: self.context.facts().cwd.clone(),
        }
    }

    /// Its repository, in the spelling that scopes have.
    pub(super) fn repo(&self) -> Option<&str> {
        let repos = &self.context.facts().repos;
        repos.first().map(crate::scope::repo::Repo::as_str)
    }

    /// The names that a component of this place may have: of its folders, the
    /// innermost first, and of its repository.
    pub(super) fn names(&self) -> Vec<&str> {
        let cwd = self.context.facts().cwd.as_deref().unwrap_or_default();
        let repo = self.repo().unwrap_or_default();
        let folders = cwd.rsplit('/').chain(repo.rsplit('/').next());
        folders.filter(|name| !name.is_empty()).collect()
    }

    /// Of hints of several components, those of the one that has the name of a
    /// folder here. Of a single one, those that say where they apply: what
    /// applies everywhere may be about another project.
    pub(super) fn ours(&self, mut found: Vec<Known>) -> Vec<Known> {
        let is_named = |known: &Known, name: &str| known.hint.component.eq_ignore_ascii_case(name);
        let mut names = self.names().into_iter();
        let ours = names.find(|name| found.iter().any(|known| is_named(known, name)));
        if let Some(name) = ours {
            found.retain(|known| is_named(known, name));
            return found;
        }
        let first = found.first().map(|known| known.hint.component.clone());
        let is_first = |known: &Known| Some(&known.hint.component) == first.as_ref();
        let is_single = found.iter().all(is_first);
        found.retain(|known| is_single && known.hint.hint.scope().is_some());
        found
    }
}
