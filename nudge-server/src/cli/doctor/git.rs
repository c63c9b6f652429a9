//! Where Nudge takes the caller to be.

use std::fs;
use std::path::Path;

use nudge::Context;
use nudge_client::platform::{owner, user};

use super::finding::Finding;
use crate::cli::failure::describe_scope;
use crate::cli::shell::SHELL;

const ABOUT: &str = "context";

/// Says what is inferred in the current folder, and whether git is behind it.
pub(super) fn look(cwd: Option<&Path>) -> Finding {
    let Some(cwd) = cwd else {
        let words = "the current folder is gone, so no cwd, repo or branch is inferred";
        return Finding::odd(ABOUT, words).fixed_by("cd");
    };
    let here = Context::here();
    let told = describe_scope(&serde_json::to_value(&here).unwrap_or_default());
    let good = || Finding::good(ABOUT, format!("you are at {told}"));
    let mut above = cwd.ancestors().map(|folder| (folder, folder.join(".git")));
    let Some((folder, dot_git)) = above.find(|(_, git)| fs::symlink_metadata(git).is_ok()) else {
        return good();
    };
    let typed = SHELL.path(folder);
    if here.facts().repos.is_empty() {
        let words = format!(
            "`{}` cannot be read as git's, so no repo and no branch is inferred here",
            dot_git.display()
        );
        return Finding::odd(ABOUT, words).fixed_by(format!("git -C {typed} status"));
    }
    if fs::metadata(&dot_git).is_ok_and(|seen| owner(&seen) != user()) {
        let words =
            format!("you are at {told}, in a repository of another user, which git refuses");
        let fix = format!("git config --global --add safe.directory {typed}");
        return Finding::odd(ABOUT, words).fixed_by(fix);
    }
    good()
}
