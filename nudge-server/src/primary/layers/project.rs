//! The hints that projects have in their repositories: those that the user trusts are loaded,
//! the others wait.

use std::collections::BTreeMap;
use std::path::Path;

use nudge::{Layer, Nudge};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use super::Layers;
use super::requests::ProjectHint;
use crate::kept::project_file::{self, Content, ProjectFile};
use crate::kept::trust::{self, ProjectHints};

/// What is known of the projects' files, by the roots of their worktrees.
#[derive(Default)]
pub(super) struct Projects(Mutex<BTreeMap<String, Project>>);

/// What is known of a project's file.
struct Project {
    repo: String,
    file: ProjectFile,
    /// What it says.
    hints: ProjectHints,
}

impl Projects {
    /// Loads what the file at a root says, if that is not known or has changed.
    pub(super) fn enter(&self, layers: &Layers, nudge: &Nudge, repo: &str, root: &str) {
        let path = Path::new(root);
        let mut all = self.0.lock();
        let known = all.get(root);
        if known.is_some_and(|known| known.file.is_current(&project_file::stamp(path))) {
            return;
        }
        let file = project_file::read(path);
        let read = match &file.content {
            Content::Absent => Ok(ProjectHints::default()),
            Content::Refused(why) => Err(why.clone()),
            Content::Bytes(bytes) => trust::hints(bytes),
        };
        let hints = read.unwrap_or_else(|why| {
            let words = format!("the project's hints are not read: {why}");
            layers.notices.lock().push(words);
            ProjectHints::default()
        });
        let is_known = known.is_some_and(|known| known.hints == hints);
        if !is_known {
            let waiting = layers.load_trusted(nudge, repo, root, &hints);
            if waiting > 0 {
                let hints = if waiting == 1 { "hint" } else { "hints" };
                let words = format!("{waiting} {hints} of the project wait: nudge trust");
                layers.notices.lock().push(words);
            }
        }
        let repo = repo.to_owned();
        all.insert(root.to_owned(), Project { repo, file, hints });
    }
}

impl Layers {
    /// The hints of a project's file, each with whether the user trusts it.
    fn hints_of(&self, repo: &str, hints: &ProjectHints) -> Vec<(ProjectHint, bool)> {
        let all = self.known.lock();
        let known = all.get(&Layer::Repo(repo.to_owned()));
        let hints = hints.hints.iter().map(|(component, key, hint)| {
            let hash = trust::hash(component, key, hint);
            let is_trusted = known.is_some_and(|known| known.trusted.contains(&hash));
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

    /// The same of the file at a root, as it is now.
    pub(super) fn project_hints(
        &self,
        nudge: &Nudge,
        repo: &str,
        root: &str,
    ) -> Vec<(ProjectHint, bool)> {
        self.projects.enter(self, nudge, repo, root);
        let all = self.projects.0.lock();
        let hints = all
            .get(root)
            .map(|project| self.hints_of(repo, &project.hints));
        hints.unwrap_or_default()
    }

    /// Has the store hold what the user trusts of the files of a repository's worktrees, and
    /// nothing else of them.
    pub(super) fn load_projects(&self, nudge: &Nudge, repo: &str) {
        let all = self.projects.0.lock();
        for (root, project) in all.iter().filter(|(_, project)| project.repo == repo) {
            self.load_trusted(nudge, repo, root, &project.hints);
        }
    }

    /// Loads what the user trusts of a project's file, and says how many hints wait.
    fn load_trusted(&self, nudge: &Nudge, repo: &str, root: &str, hints: &ProjectHints) -> usize {
        let mut components = Map::new();
        let mut waiting = 0;
        for (hint, is_trusted) in self.hints_of(repo, hints) {
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
        let layer = Layer::Project(root.to_owned());
        match nudge.load_layer(&layer, &payload, None) {
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
