//! What a project's own files say: the commands that it declares, and whether what a hint
//! rests on is still there.
//!
//! Files are read and never executed. Any of them may be hostile: what cannot be read
//! within bounds says nothing, and only words that mean themselves are passed on.

mod anchor;
mod blocks;
mod branch;
pub(crate) mod check;
mod commits;
mod ecosystem;
mod files;
mod folder;
mod found;
mod ground;
pub(crate) mod hints_file;
mod just;
mod make;
mod manifest;
mod nox;
mod npm;
mod pyproject;
mod resolve;
pub(crate) mod roots;
mod runner;
mod setup;
mod taskfile;
#[cfg(test)]
mod tests;
mod tox;
pub(crate) mod trust;
mod workflow;

use std::path::Path;
use std::sync::Arc;

use nudge::{Anchor, AnchorState, Clock, FoundCommand, ManualClock, Projects, SystemClock};

use self::check::Checker;
use self::files::Files;
pub(crate) use self::folder::moved;
pub use self::resolve::Resolution;
use self::roots::Roots;

/// The projects of this machine, as their files are.
pub struct ProjectFiles(Files, Arc<Roots>);

impl Default for ProjectFiles {
    fn default() -> ProjectFiles {
        let files = Files::new(Box::new(SystemClock), std::env::var_os("PATH"));
        ProjectFiles(files, Arc::default())
    }
}

impl ProjectFiles {
    /// The same, by another clock.
    #[must_use]
    pub fn with_clock(clock: impl Clock + 'static) -> ProjectFiles {
        ProjectFiles(Files::new(Box::new(clock), None), Arc::default())
    }

    /// The same, whose time stands still: who asks for a report waits for a slow disk, where a
    /// session would not.
    pub(crate) fn patient() -> ProjectFiles {
        ProjectFiles::with_clock(ManualClock::at(SystemClock.now()))
    }

    pub(crate) fn roots(&self) -> Arc<Roots> {
        Arc::clone(&self.1)
    }

    /// The text of a file of a project, if it is one that is read.
    #[must_use]
    pub fn text(&self, root: &str, path: &str) -> Option<String> {
        self.0.look(root).text(path)
    }

    /// The folders of a project that have a manifest, as far as they are looked for.
    #[must_use]
    pub fn folders(&self, root: &str) -> Vec<String> {
        folder::all(&self.0.look(root))
    }

    /// Whether what a command names is still there. Nothing is checked of a command that
    /// names nothing which a manifest declares.
    #[must_use]
    pub fn resolve(&self, root: &str, folder: &str, command: &str) -> Resolution {
        resolve::resolve(&self.0.look(root), folder, command)
    }
}

impl Projects for ProjectFiles {
    fn folder(&self, root: &str, cwd: &str) -> String {
        let below = Path::new(cwd).strip_prefix(root).ok();
        let below = below.and_then(Path::to_str).unwrap_or_default();
        folder::nearest(&self.0.look(root), below)
    }

    fn found(&self, root: &str, folder: &str) -> Vec<FoundCommand> {
        found::found(&self.0.look(root), folder)
    }

    fn anchors(&self, root: &str, folder: &str, command: &str) -> Vec<Anchor> {
        anchor::anchors(&self.0.look(root), folder, command)
    }

    fn states(&self, root: &str, anchors: &[Anchor]) -> Vec<AnchorState> {
        let look = self.0.look(root);
        anchors.iter().map(|it| anchor::state(&look, it)).collect()
    }

    fn missing(&self, root: &str, folder: &str, command: &str) -> Option<(String, Option<String>)> {
        let command = Some(command).filter(|command| !resolve::is_sentence(command))?;
        let Resolution::Gone { name, from, near } =
            Checker::new(self, root).check_anywhere(folder, command)
        else {
            return None;
        };
        let at = if name == from {
            from
        } else {
            format!("{from}#{name}")
        };
        Some((at, near))
    }

    fn has_branch(&self, root: &str, branch: &str) -> Option<bool> {
        branch::has_branch(Path::new(root), branch)
    }

    fn knows(&self, root: &str, repo: &str) -> bool {
        self.1.knows(root, repo)
    }

    fn named_before(&self, root: &str, repo: &str) -> Option<String> {
        self.1.named_before(root, repo)
    }

    fn ground(&self, root: &str, folder: &str) -> Option<String> {
        Some(ground::ground(&self.0.look(root), folder))
    }

    fn is_installed(&self, root: &str, folder: &str) -> bool {
        ground::is_installed(&self.0.look(root), folder)
    }
}

/// The branches of the clone at a root, for who is about to type one.
pub(crate) fn branches(root: &str) -> Vec<String> {
    let names = branch::branches(Path::new(root));
    names.unwrap_or_default().into_iter().collect()
}

/// Whether a word is in a list of words.
fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}
