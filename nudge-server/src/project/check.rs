//! Whether the commands that somebody wrote down still name something in a project.

use nudge::{Context, ScopeMatcher};
use serde_json::{Value, json};

use super::resolve::is_sentence;
use super::{ProjectFiles, Resolution, moved};

pub(crate) struct Checker<'p> {
    projects: &'p ProjectFiles,
    root: &'p str,
    folders: Option<Vec<String>>,
}

impl<'p> Checker<'p> {
    pub(crate) fn new(projects: &'p ProjectFiles, root: &'p str) -> Checker<'p> {
        Checker {
            projects,
            root,
            folders: None,
        }
    }

    /// What became of a command for a folder, which is empty where it does not say: then it may
    /// be meant for any.
    pub(crate) fn check(&mut self, folder: &str, command: &str) -> Resolution {
        if folder.is_empty() {
            return self.check_anywhere(folder, command);
        }
        self.projects.resolve(self.root, folder, command)
    }

    /// The same for a command of a folder that may as well be meant for any other.
    pub(super) fn check_anywhere(&mut self, folder: &str, command: &str) -> Resolution {
        let resolve = |folder: &str| self.projects.resolve(self.root, folder, command);
        let found = resolve(folder);
        if !matches!(found, Resolution::Gone { .. }) {
            return found;
        }
        let all = || self.projects.folders(self.root);
        let mut all = self.folders.get_or_insert_with(all).iter();
        if all.any(|other| resolve(other) == Resolution::Holds) {
            return Resolution::Holds;
        }
        found
    }
}

/// The folder and the command of a hint of an export that stands in a folder, if it is one.
pub(crate) fn command_of(hint: &Value, folder: &str) -> Option<(String, String)> {
    let said = hint["value"].as_str().filter(|text| !is_sentence(text));
    let glob = &hint["meta"]["scope"]["cwd_glob"];
    let glob = glob.as_str().or(glob[0].as_str()).unwrap_or("./");
    let command = hint["value"]["cmd"].as_str().or(said)?;
    let folder = moved(folder, glob.trim_end_matches("**"))?;
    Some((folder, command.to_owned()))
}

/// Whether a hint of an export is for the branch that is checked out: one for another says
/// nothing about this one.
pub(crate) fn is_for_branch(hint: &Value, at: &Context) -> bool {
    let branch = hint.pointer("/meta/scope/branch");
    let scope = branch.map(|branch| serde_json::from_value(json!({ "branch": branch })));
    scope.is_none_or(|scope| scope.is_ok_and(|scope: ScopeMatcher| scope.holds(at)))
}
