//! `Context::here()`: the facts of this process, for a caller who asks.
//!
//! Nothing else in the library looks at the machine. Git is read from its files;
//! no program is started.

mod config;
mod git;
mod stamp;

use std::path::{Path, PathBuf};

use git::Checkout;

use crate::model::scope::Os;
use crate::scope::context::{Context, Facts};
use crate::scope::path;
use crate::scope::repo::Repo;

impl Context {
    /// Gathers the facts of this process: its cwd, and the root, repository, branch and os there.
    ///
    /// Of the environment nothing is read; [`Context::filled_in`] takes the names to read.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Context;
    ///
    /// let here = Context::here();
    /// assert!(here.facts().repos.len() <= 1);
    /// assert!(here.facts().env.is_empty());
    /// ```
    #[must_use]
    pub fn here() -> Context {
        Context::new().filled_in(std::iter::empty::<&str>())
    }

    /// Gathers the facts of a folder of this machine, as a process there would find them.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Context;
    ///
    /// let root = Context::at("/");
    /// assert_eq!(root.facts().cwd.as_deref(), Some("/"));
    /// assert!(root.facts().branch.is_none());
    /// ```
    #[must_use]
    pub fn at(folder: impl AsRef<str>) -> Context {
        Context::new()
            .cwd(folder)
            .filled_in(std::iter::empty::<&str>())
    }

    /// Fills in what is absent with the facts of this process; what is stated stays.
    ///
    /// Root, repository and branch are those of the context's own cwd, and of the
    /// process's only where none is stated: they never come from another folder.
    /// Beside a stated repository, the branch is filled in only if that is the one
    /// there. Of the environment only the `wanted` names are read, and those that
    /// are not set stay absent.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Context;
    ///
    /// let context = Context::new().repo("git:globex/mailer").filled_in(["PATH"]);
    /// assert_eq!(context.facts().repos[0].as_str(), "git:globex/mailer");
    /// assert!(context.facts().env.keys().eq(["PATH"]));
    /// ```
    #[must_use]
    pub fn filled_in<I, S>(self, wanted: I) -> Context
    where
        I: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let stated = self.facts();
        let own = stated.cwd.is_none().then(process_cwd).flatten();
        let found = match &stated.cwd {
            Some(cwd) => Checkout::around(Path::new(cwd)),
            None => own.as_deref().and_then(Checkout::above),
        };
        let found = found.unwrap_or_default();
        // Of another repository than the stated one, the branch would say nothing.
        let is_stated = |repo: &Repo| stated.repos.iter().any(|stated| stated.allows(repo));
        let is_same = stated.repos.is_empty() || found.repo.as_ref().is_some_and(is_stated);
        let branch = found.branch.filter(|_| stated.branch.is_none() && is_same);
        let root = found.root.filter(|_| stated.root.is_none());
        let [own, root] = [&own, &root].map(|path| path.as_deref().and_then(Path::to_str));
        let mut context = self.clone();
        context.state_repos(found.repo.filter(|_| stated.repos.is_empty()));
        context = branch.into_iter().fold(context, Context::branch);
        context = own.into_iter().fold(context, Context::cwd);
        context = root.into_iter().fold(context, Context::root);
        if stated.os.is_none() {
            context = build_os().into_iter().fold(context, Context::os);
        }
        // A home in an odd place is not known by its words.
        let is_here = |home: &String| {
            let home = path::normalize(home);
            let facts = context.facts();
            !path::is_home(&home) && [&facts.cwd, &facts.root].contains(&&Some(home))
        };
        let odd_home = |name: &&str| variable(name).as_ref().is_some_and(is_here);
        let odd_homes = HOMES.into_iter().filter(odd_home);
        let mut names: Vec<String> = odd_homes.map(str::to_owned).collect();
        names.extend(wanted.into_iter().map(|name| name.as_ref().to_owned()));
        for name in &names {
            if !states_variable(stated, name)
                && let Some(value) = variable(name)
            {
                context = context.env(name, value.as_str());
            }
        }
        context
    }
}

/// The variables that say where the home is.
pub(crate) const HOMES: [&str; 2] = ["HOME", "USERPROFILE"];

/// Whether there is something at an absolute path of this machine.
pub(crate) fn is_there(path: &str) -> bool {
    // What cannot be looked at is not known to be gone.
    !matches!(std::fs::symlink_metadata(path), Err(error) if error.kind() == std::io::ErrorKind::NotFound)
}

/// Whether a variable is among the facts, be it as one that is not set.
fn states_variable(facts: &Facts, name: &str) -> bool {
    let caseless = facts.is_caseless();
    let same = |known: &String| known == name || (caseless && known.eq_ignore_ascii_case(name));
    facts.env.keys().any(same)
}

/// The physical folder this process is in, unless it is gone.
#[expect(
    clippy::disallowed_methods,
    reason = "a caller asked where the process is"
)]
fn process_cwd() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// The value of a variable of this process; what is no Unicode in it is replaced, for it is set all the same.
#[expect(
    clippy::disallowed_methods,
    reason = "a caller asked for this variable by name"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// The system this library was built for; `None` for one that no scope can name.
fn build_os() -> Option<Os> {
    match std::env::consts::OS {
        "linux" => Some(Os::Linux),
        "macos" => Some(Os::Darwin),
        "windows" => Some(Os::Windows),
        _ => None,
    }
}
