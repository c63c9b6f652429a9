//! `Place`: where a caller is, as a condition on what it writes there.

use std::sync::Arc;

use crate::api::caller::Caller;
use crate::hint::Hint;
use crate::model::scope::Scope;
use crate::scope::context::{Context, Facts};
use crate::scope::glob::escape;
use crate::scope::here::HOMES;
use crate::scope::matcher::ScopeMatcher;
use crate::scope::path;

/// Where what is set without a stated scope applies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    /// Wherever anybody is.
    Everywhere,
    /// A repository, by its canonical name.
    Repo(String),
    /// A folder and what is below, as the start of a glob.
    Folder(String),
    /// A folder alone, as a glob.
    FolderAlone(String),
}

impl Place {
    /// The place of a context, for a caller whose writes are to stay in theirs.
    pub(crate) fn of(context: Option<&Context>, by: &Caller<'_>) -> Place {
        let facts = context.filter(|_| by.scopes_writes).map(Context::facts);
        facts.map_or(Place::Everywhere, |facts| Place::at(facts, by.is_user()))
    }

    /// The place of a caller, who may be the user.
    pub(crate) fn at(facts: &Facts, is_user: bool) -> Place {
        // A repository of dotfiles is no project: what is done below it is done in its folder.
        let root = facts.root.as_deref();
        let is_project = root.is_none_or(|root| !is_home(root, facts));
        if let Some(repo) = facts.repos.first().filter(|_| is_project) {
            return Place::Repo(repo.as_str().to_owned());
        }
        Place::folder_at(facts, is_user)
    }

    /// The folder of a caller, whatever the repository.
    pub(crate) fn folder_at(facts: &Facts, is_user: bool) -> Place {
        match facts.cwd.as_deref() {
            None => Place::Everywhere,
            Some(cwd) if !is_home(cwd, facts) => Place::Folder(escape(cwd)),
            Some(_) if is_user => Place::Everywhere,
            Some(cwd) => Place::FolderAlone(escape(cwd)),
        }
    }

    /// The conditions of the place, in the stead of those that a scope has.
    pub(crate) fn onto(&self, scope: Scope) -> Scope {
        let (repo, cwd_glob) = (scope.repo.clone(), scope.cwd_glob.clone());
        let only = |text: String| Some(vec![text]);
        let (repo, cwd_glob) = match self {
            Place::Everywhere => (repo, cwd_glob),
            Place::Repo(repo) => (only(repo.clone()), cwd_glob),
            Place::Folder(folder) => (repo, only(format!("{folder}/**"))),
            Place::FolderAlone(folder) => (repo, only(folder.clone())),
        };
        Scope {
            cwd_glob,
            repo,
            ..scope
        }
    }

    /// The conditions of the place beside those of a stated scope that names none: one
    /// without any means everywhere.
    pub(crate) fn beside(&self, scope: Scope) -> Scope {
        if scope.is_everywhere() || scope.names_place() {
            return scope;
        }
        self.onto(scope)
    }

    /// Whether a hint that names a place applies somewhere in this one.
    pub(crate) fn meets(&self, hint: &Hint, facts: &Facts) -> bool {
        let root = facts.root.as_deref();
        let root = root.map(|root| Place::Folder(escape(root)));
        let is_met = |named: &Arc<ScopeMatcher>| {
            let is_below = |place: &Place| place.holds(Some(named));
            let is_there = named.cwd_holds(facts) || is_below(self);
            let is_there = is_there || root.as_ref().is_some_and(is_below);
            named.names_place() && named.repo_holds(facts) && (named.repo.is_some() || is_there)
        };
        *self == Place::Everywhere || hint.meta.scope.as_ref().is_some_and(is_met)
    }

    /// Whether a scope reaches no further than the place.
    pub(crate) fn holds(&self, scope: Option<&Scope>) -> bool {
        let globs = scope.and_then(|scope| scope.cwd_glob.as_deref());
        let all = |is_in: &dyn Fn(&String) -> bool| globs.is_some_and(|all| all.iter().all(is_in));
        match self {
            Place::Everywhere => true,
            Place::Repo(repo) => {
                scope.and_then(|scope| scope.repo.as_deref()) == Some(&[repo.clone()][..])
            }
            Place::Folder(_) | Place::FolderAlone(_) => all(&|glob| self.covers(glob)),
        }
    }

    /// Whether a glob, or a path that is escaped like one, means nothing but the folder or what
    /// is below it.
    pub(crate) fn covers(&self, glob: &str) -> bool {
        match self {
            Place::Everywhere | Place::Repo(_) => false,
            Place::Folder(folder) => {
                let below = glob.strip_prefix(folder.as_str());
                below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
            }
            Place::FolderAlone(folder) => glob == folder,
        }
    }
}

/// Whether a folder is nobody's project: a home, as its words or the context say, or the
/// root of a disk.
fn is_home(folder: &str, facts: &Facts) -> bool {
    let stated = HOMES.map(|name| facts.env_value(name));
    let is_stated = |home: &str| path::normalize(home) == folder;
    path::is_home(folder) || stated.into_iter().flatten().any(is_stated)
}
