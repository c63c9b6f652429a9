//! `Context::here()`: the facts of this process, for a caller who asks.
//!
//! Nothing else in the library looks at the machine. Git is read from its files;
//! no program is started.

mod config;
mod git;
mod stamp;

use std::path::{Path, PathBuf};

use git::Checkout;

use crate::model::os::Os;
use crate::scope::context::{Context, Facts};

impl Context {
    /// Gathers the facts of this process: its cwd, and the repository, branch and os there.
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
        let folder = folder.as_ref();
        let found = Checkout::around(Path::new(folder)).unwrap_or_default();
        let mut context = Context::new().cwd(folder);
        context.state_repos(found.repo);
        let context = found.branch.into_iter().fold(context, Context::branch);
        build_os().into_iter().fold(context, Context::os)
    }

    /// Fills in what is absent with the facts of this process; what is stated stays.
    ///
    /// Repository and branch are those of the context's own cwd when that lies in
    /// a repository on this machine, else those of the process. Of the environment
    /// only the `wanted` names are read, and those that are not set stay absent.
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
        let own = process_cwd();
        let stated = self.facts();
        let mut context = self.clone();
        if stated.repos.is_empty() || stated.branch.is_none() {
            let found = stated
                .cwd
                .as_deref()
                .map(Path::new)
                .and_then(Checkout::around);
            let found = found
                .or_else(|| Checkout::above(own.as_deref()?))
                .unwrap_or_default();
            let repo = found.repo.filter(|_| stated.repos.is_empty());
            let branch = found.branch.filter(|_| stated.branch.is_none());
            context.state_repos(repo);
            context = branch.into_iter().fold(context, Context::branch);
        }
        if stated.cwd.is_none() {
            let cwd = own.as_deref().and_then(Path::to_str);
            context = cwd.into_iter().fold(context, Context::cwd);
        }
        if stated.os.is_none() {
            context = build_os().into_iter().fold(context, Context::os);
        }
        for name in wanted {
            let name = name.as_ref();
            if !states_variable(stated, name)
                && let Some(value) = variable(name)
            {
                context = context.env(name, value.as_str());
            }
        }
        context
    }
}

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
