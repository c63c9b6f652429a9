//! The hints that projects have in their repositories: those that the user trusts are loaded,
//! the others wait.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nudge::{Context, Error, Nudge};
use parking_lot::Mutex;

use super::Primary;
use super::keep_requests::ProjectHint;
use crate::project::hints_file::{self, Content, HintsFile};
use crate::project::trust;

/// Of how many worktrees the files are remembered, and how much the user is told of them.
const MOST_FILES: usize = 256;
const MOST_NOTICES: usize = 64;

/// What is known of the projects' files, whose hints are trusted one by one.
#[derive(Default)]
pub(super) struct ProjectHints {
    /// The one that was used last at the end.
    files: Mutex<Vec<Project>>,
    /// The hashes of what the user trusts, by repository.
    trusted: Mutex<BTreeMap<String, BTreeSet<String>>>,
    notices: Mutex<Vec<String>>,
}

struct Project {
    /// The root of the worktree.
    root: String,
    repo: String,
    file: HintsFile,
    hints: Vec<ProjectHint>,
}

impl ProjectHints {
    pub(super) fn trust(&self, trusted: BTreeMap<String, BTreeSet<String>>) {
        *self.trusted.lock() = trusted;
    }

    /// The hashes of what the user trusts, by repository.
    pub(super) fn trusted(&self) -> BTreeMap<String, BTreeSet<String>> {
        self.trusted.lock().clone()
    }

    pub(super) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock())
    }

    /// Loads what the file at a root says, if that is not known or has changed.
    fn enter(&self, nudge: &Nudge, repo: &str, root: &str) {
        let path = Path::new(root);
        let mut all = self.files.lock();
        let known = all.iter().position(|project| project.root == root);
        let known = match known.map(|at| all.remove(at)) {
            Some(known) if known.file.is_current(&hints_file::stamp(path)) => {
                all.push(known);
                return;
            }
            known => known,
        };
        let file = hints_file::read(path);
        let read = match &file.content {
            Content::Absent => Ok(Vec::new()),
            Content::Refused(why) => Err(why.clone()),
            Content::Bytes(bytes) => trust::hints(bytes)
                .map_err(|why| hints_file::refusal(&path.join(hints_file::NAME), "read", why)),
        };
        let was_so = known
            .as_ref()
            .is_some_and(|known| known.file.content == file.content);
        let hints = read.unwrap_or_else(|why| {
            // It may be read again before it can have changed.
            if !was_so {
                self.notice(format!("the project's hints are not read: {why}"));
            }
            Vec::new()
        });
        let is_known = known.is_some_and(|known| known.hints == hints);
        if !is_known {
            let waiting = self.load(nudge, repo, root, &hints);
            if waiting > 0 {
                let wait = ["hints of the project wait", "hint of the project waits"];
                let wait = wait[usize::from(waiting == 1)];
                self.notice(format!("{waiting} {wait}: nudge trust"));
            }
        }
        all.push(Project {
            root: root.to_owned(),
            repo: repo.to_owned(),
            file,
            hints,
        });
        if all.len() > MOST_FILES {
            let gone = all.remove(0);
            // Who comes there next has them loaded again.
            if !gone.hints.is_empty() {
                self.load(nudge, &gone.repo, &gone.root, &[]);
            }
        }
    }

    /// Has the user told something, once.
    fn notice(&self, words: String) {
        let mut notices = self.notices.lock();
        if notices.len() < MOST_NOTICES && !notices.contains(&words) {
            notices.push(words);
        }
    }

    /// The hints of a project's file, each with whether the user trusts it.
    fn looked_up(&self, repo: &str, hints: &[ProjectHint]) -> Vec<(ProjectHint, bool)> {
        let all = self.trusted.lock();
        let trusted = all.get(repo);
        let is_trusted = |hint: &ProjectHint| trusted.is_some_and(|it| it.contains(&hint.hash));
        let hints = hints.iter().map(|hint| (hint.clone(), is_trusted(hint)));
        hints.collect()
    }

    /// Loads what the user trusts of a project's file, and says how many hints wait.
    fn load(&self, nudge: &Nudge, repo: &str, root: &str, hints: &[ProjectHint]) -> usize {
        let all = self.looked_up(repo, hints);
        let trusted = || all.iter().filter(|(_, is_trusted)| *is_trusted);
        let waiting = all.len() - trusted().count();
        let payload = trust::file_of(trusted().map(|(hint, _)| hint)).to_string();
        match nudge.load_project(root, &payload) {
            Ok(loaded) => {
                let problems = loaded.problems.into_iter().map(|problem| {
                    let (component, key) = (problem.component, problem.key);
                    format!(
                        "`{component}/{key}` of the project is not loaded: {}",
                        problem.message
                    )
                });
                problems.for_each(|words| self.notice(words));
            }
            Err(error) => {
                self.notice(format!("the project's hints are not loaded: {error}"));
            }
        }
        waiting
    }
}

impl Primary {
    /// Loads what the project says where a caller is, as a call or the caller says; where the
    /// user typed it, the root is known from now on.
    pub(super) fn enter(&self, context: &Context, is_typed: bool) {
        let facts = context.facts();
        if let Some((repo, root)) = facts.repos.first().zip(facts.root.as_deref()) {
            if is_typed {
                self.roots.admit(root, repo.as_str());
            }
            self.project_hints.enter(&self.nudge, repo.as_str(), root);
        }
    }

    /// Writes down which roots are known, if that is due or one of them is new.
    pub(super) fn save_roots(&self, is_due: bool) {
        let unsaved = self.roots.take_unsaved(is_due);
        if let Some((memory, roots)) = self.memory().zip(unsaved) {
            // Where it cannot be written, the next server finds out again.
            let _ = memory.set_roots(&roots);
        }
    }

    /// The hints of the file at a root as it is now, each with whether the user trusts it.
    pub(super) fn hints_of_project(&self, repo: &str, root: &str) -> Vec<(ProjectHint, bool)> {
        let known = &self.project_hints;
        known.enter(&self.nudge, repo, root);
        let all = known.files.lock();
        let project = all.iter().find(|project| project.root == root);
        let hints = project.map(|project| known.looked_up(repo, &project.hints));
        hints.unwrap_or_default()
    }

    /// Writes down what is trusted of a repository's files, and loads it.
    pub(super) fn set_trust(
        &self,
        repo: &str,
        hashes: Vec<String>,
        is_trusted: bool,
    ) -> Result<(), Error> {
        if let Some(memory) = self.memory() {
            memory.set_trust(repo, &hashes, is_trusted)?;
        }
        let known = &self.project_hints;
        let mut trusted = known.trusted.lock();
        let of_repo = trusted.entry(repo.to_owned()).or_default();
        for hash in hashes {
            if is_trusted {
                of_repo.insert(hash);
            } else {
                of_repo.remove(&hash);
            }
        }
        drop(trusted);
        let all = known.files.lock();
        for project in all.iter().filter(|project| project.repo == repo) {
            known.load(&self.nudge, repo, &project.root, &project.hints);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_roots_that_anybody_names_the_last_stay() {
        let (nudge, known) = (Nudge::default(), ProjectHints::default());
        let enter = |root: &str| known.enter(&nudge, "git:github.com/acme/api", root);
        for number in 0..1000 {
            enter("/nowhere/often");
            enter(&format!("/nowhere/{number}"));
        }
        let files = known.files.lock();
        assert_eq!(files.len(), MOST_FILES);
        for root in ["/nowhere/often", "/nowhere/999"] {
            assert!(files.iter().any(|it| it.root == root), "{root}");
        }
        drop(files);
        (0..1000).for_each(|number| known.notice(number.to_string()));
        assert_eq!(known.take_notices().len(), MOST_NOTICES);
    }
}
