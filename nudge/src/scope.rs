//! `Scope`: the conditions under which a hint is eligible, as people write them.

pub(crate) mod component;
pub(crate) mod context;
pub(crate) mod glob;
pub(crate) mod here;
pub(crate) mod matcher;
pub(crate) mod near_miss;
pub(crate) mod path;
pub(crate) mod repo;

use std::collections::BTreeMap;

use crate::model::error::{Error, ErrorKind};
use crate::model::name::check_path;
use crate::model::scope::{CONDITIONS, Scope};
use crate::scope::glob::{Glob, GlobError};
use crate::scope::repo::Repo;
use crate::secret;

/// The most patterns, names and values that one scope may list.
const MAX_PATTERNS: usize = 64;

/// The longest of them, in bytes.
const MAX_PATTERN_BYTES: usize = 256;

impl Scope {
    /// The one spelling of this scope: lists sorted and without repeats,
    /// repositories and globs normalised, every entry checked.
    pub(crate) fn canonical(mut self) -> Result<Scope, Error> {
        self.check_size()?;
        for glob in self.cwd_glob.iter_mut().flatten() {
            let normal = compile("scope.cwd_glob", glob)?;
            if normal.as_str() != glob {
                *glob = normal.as_str().into();
            }
        }
        for branch in self.branch.iter().flatten() {
            compile("scope.branch", branch)?;
        }
        for repo in self.repo.iter_mut().flatten() {
            let Some(known) = Repo::parse(repo) else {
                // Without the text: a remote may hold a password.
                let words = "scope.repo names no repository; write it as `git:org/repo` or \
                             `git:host/org/repo`";
                return Err(Error::invalid("scope.repo", "repo", words));
            };
            if known.as_str() != repo {
                *repo = known.as_str().into();
            }
        }
        let names = self.env_match.iter().flat_map(BTreeMap::keys);
        let mut names = self.env_required.iter().flatten().chain(names);
        if let Some(name) = names.find(|name| name.contains('=')) {
            let words =
                format!("`{name}` is not the name of a variable; put values into `env_match`");
            return Err(Error::invalid("scope", "env_name", words));
        }
        for list in [
            &mut self.cwd_glob,
            &mut self.repo,
            &mut self.branch,
            &mut self.env_required,
        ] {
            list.iter_mut().for_each(sort);
        }
        self.os.iter_mut().for_each(sort);
        self.env_match
            .iter_mut()
            .flat_map(BTreeMap::values_mut)
            .for_each(sort);
        Ok(self)
    }

    /// What its texts take of memory, about: repositories twice, as they are compared.
    fn bytes(&self) -> usize {
        let lists = [
            &self.cwd_glob,
            &self.repo,
            &self.repo,
            &self.branch,
            &self.env_required,
        ];
        let lists = lists.into_iter().flatten().flatten();
        let names = self.env_match.iter().flatten();
        let values = names.flat_map(|(name, values)| values.iter().chain([name]));
        lists
            .chain(values)
            .map(|text| size_of::<String>() + text.len())
            .sum()
    }

    /// Refuses lists that are empty, too long, or hold what cannot be read.
    fn check_size(&self) -> Result<(), Error> {
        let lists = [&self.cwd_glob, &self.repo, &self.branch, &self.env_required];
        let named = [CONDITIONS[0], CONDITIONS[1], CONDITIONS[2], CONDITIONS[4]];
        let mut count = 0;
        for (list, condition) in lists.into_iter().zip(named) {
            let Some(list) = list else { continue };
            let field = format!("scope.{condition}");
            let mut texts = list.iter();
            texts.try_for_each(|text| check_path(text, &field, MAX_PATTERN_BYTES))?;
            count += list.len();
            if list.is_empty() {
                return Err(empty(condition));
            }
        }
        if self.os.as_ref().is_some_and(Vec::is_empty) {
            return Err(empty("os"));
        }
        if self.env_match.as_ref().is_some_and(BTreeMap::is_empty) {
            return Err(empty("env_match"));
        }
        for (name, values) in self.env_match.iter().flatten() {
            check_path(name, "scope.env_match", MAX_PATTERN_BYTES)?;
            if values.is_empty() {
                return Err(empty("env_match"));
            }
            for value in values {
                // An empty value is one that a variable can have.
                if value.len() > MAX_PATTERN_BYTES {
                    check_path(value, "scope.env_match", MAX_PATTERN_BYTES)?;
                }
            }
            count += values.len();
        }
        if count > MAX_PATTERNS {
            let words = format!(
                "scope lists {count} patterns, more than {MAX_PATTERNS}; use a glob that covers several"
            );
            return Err(Error::invalid("scope", "too_many", words));
        }
        Ok(())
    }
}

fn empty(condition: &str) -> Error {
    let field = format!("scope.{condition}");
    let words =
        format!("{field} is empty and could match nothing; leave it out to match everything");
    Error::invalid(field, "empty", words)
}

/// Compiles a glob, or refuses it as the contract says.
pub(crate) fn compile(field: &str, pattern: &str) -> Result<Glob, Error> {
    Glob::new(pattern).map_err(|error| {
        let pattern = secret::shown(pattern);
        let (detail, message) = match error {
            GlobError::Traversal => (
                "traversal",
                format!(
                    "glob `{pattern}` climbs out of its root; write it from the root, as in `**/x`"
                ),
            ),
            GlobError::Syntax(why) => ("syntax", format!("glob `{pattern}` cannot be read: {why}")),
        };
        let error = Error::of(ErrorKind::ScopeInvalid, detail, message).at(field);
        error.and(|data| data.pattern = Some(pattern.into()))
    })
}

fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}
