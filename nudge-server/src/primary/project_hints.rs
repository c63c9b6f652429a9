//! The hints that projects have in their repositories: those that the user trusts are loaded,
//! the others wait.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nudge::{Caller, Context, Error, Nudge};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Primary;
use super::keep_requests::ProjectHint;
use crate::project::hints_file::{self, Content, HintsFile};
use crate::project::trust::{self, Hints};

/// What is known of the projects' files, whose hints are trusted one by one.
#[derive(Default)]
pub(super) struct ProjectHints {
    /// By the roots of their worktrees.
    files: Mutex<BTreeMap<String, Project>>,
    /// The hashes of what the user trusts, by repository.
    trusted: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// What the user is to know.
    notices: Mutex<Vec<String>>,
}

/// What is known of a project's file.
struct Project {
    repo: String,
    file: HintsFile,
    /// What it says.
    hints: Hints,
}

impl ProjectHints {
    /// Trusts what the user trusted before.
    pub(super) fn trust(&self, trusted: BTreeMap<String, BTreeSet<String>>) {
        *self.trusted.lock() = trusted;
    }

    /// The hashes of what the user trusts, by repository.
    pub(super) fn trusted(&self) -> BTreeMap<String, BTreeSet<String>> {
        self.trusted.lock().clone()
    }

    /// What the user is to know now.
    pub(super) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock())
    }

    /// Loads what the file at a root says, if that is not known or has changed.
    fn enter(&self, nudge: &Nudge, repo: &str, root: &str) {
        let path = Path::new(root);
        let mut all = self.files.lock();
        let known = all.get(root);
        if known.is_some_and(|known| known.file.is_current(&hints_file::stamp(path))) {
            return;
        }
        let file = hints_file::read(path);
        let read = match &file.content {
            Content::Absent => Ok(Hints::default()),
            Content::Refused(why) => Err(why.clone()),
            Content::Bytes(bytes) => trust::hints(bytes),
        };
        let hints = read.unwrap_or_else(|why| {
            let words = format!("the project's hints are not read: {why}");
            self.notices.lock().push(words);
            Hints::default()
        });
        let is_known = known.is_some_and(|known| known.hints == hints);
        if !is_known {
            let waiting = self.load(nudge, repo, root, &hints);
            if waiting > 0 {
                let hints = if waiting == 1 { "hint" } else { "hints" };
                let words = format!("{waiting} {hints} of the project wait: nudge trust");
                self.notices.lock().push(words);
            }
        }
        let repo = repo.to_owned();
        all.insert(root.to_owned(), Project { repo, file, hints });
    }

    /// The hints of a project's file, each with whether the user trusts it.
    fn looked_up(&self, repo: &str, hints: &Hints) -> Vec<(ProjectHint, bool)> {
        let all = self.trusted.lock();
        let trusted = all.get(repo);
        let hints = hints.hints.iter().map(|(component, key, hint)| {
            let hash = trust::hash(component, key, hint);
            let is_trusted = trusted.is_some_and(|trusted| trusted.contains(&hash));
            let hint = ProjectHint {
                component: component.clone(),
                key: key.clone(),
                hint: hint.clone(),
                hash,
            };
            (hint, is_trusted)
        });
        hints.collect()
    }

    /// Loads what the user trusts of a project's file, and says how many hints wait.
    fn load(&self, nudge: &Nudge, repo: &str, root: &str, hints: &Hints) -> usize {
        let mut components = Map::new();
        let mut waiting = 0;
        for (hint, is_trusted) in self.looked_up(repo, hints) {
            if !is_trusted {
                waiting += 1;
                continue;
            }
            let component = components.entry(hint.component);
            let component = component.or_insert_with(|| json!({"hints": {}}));
            if let Some(slots) = component.get_mut("hints").and_then(Value::as_object_mut) {
                let slot = slots.entry(hint.key).or_insert_with(|| json!([]));
                slot.as_array_mut()
                    .into_iter()
                    .for_each(|slot| slot.push(hint.hint.clone()));
            }
        }
        let payload = json!({"schema_version": "1.1", "components": components}).to_string();
        match nudge.load_project(root, &payload) {
            Ok(loaded) => {
                let problems = loaded.problems.into_iter().map(|problem| {
                    let (component, key) = (problem.component, problem.key);
                    format!(
                        "`{component}/{key}` of the project is not loaded: {}",
                        problem.message
                    )
                });
                self.notices.lock().extend(problems);
            }
            Err(error) => {
                let words = format!("the project's hints are not loaded: {error}");
                self.notices.lock().push(words);
            }
        }
        waiting
    }
}

impl Primary {
    /// Loads what the project says where a caller is, as a call or the caller says; where the
    /// user typed it, the root is known from now on.
    pub(super) fn enter(&self, by: &Caller<'_>, params: &str, is_typed: bool) {
        /// As much of a call as says where the caller is.
        #[derive(Deserialize)]
        struct Call {
            context: Option<Context>,
        }
        let stated = params
            .contains("\"context\"")
            .then(|| serde_json::from_str::<Call>(params));
        let stated = stated.and_then(Result::ok).and_then(|call| call.context);
        for context in stated.iter().chain(by.here) {
            let facts = context.facts();
            if let Some((repo, root)) = facts.repos.first().zip(facts.root.as_deref()) {
                if is_typed {
                    self.roots.admit(root, repo.as_str());
                }
                self.project_hints.enter(&self.nudge, repo.as_str(), root);
            }
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
        let hints = all
            .get(root)
            .map(|project| known.looked_up(repo, &project.hints));
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
        for (root, project) in all.iter().filter(|(_, project)| project.repo == repo) {
            known.load(&self.nudge, repo, root, &project.hints);
        }
        Ok(())
    }
}
