//! `Projects`: what a store asks about the projects that it is used in.

use crate::model::anchor::{Anchor, AnchorState};

/// What a store asks about the projects that it is used in.
///
/// A store opens no file. Whoever can tells it, by
/// [`Nudge::with_projects`](crate::Nudge::with_projects), what a project declares and whether what a hint rests on is
/// still there. A store without one knows none of it. Roots and folders are absolute paths
/// in their normal form; `folder` is relative to the root, and empty at the root itself.
///
/// An answer must come soon, whatever the files hold: it is waited for.
///
/// # Examples
///
/// ```
/// use nudge::{Anchor, AnchorState, FoundCommand, Projects};
///
/// /// Every project has a makefile with a target `test`.
/// struct Makefiles;
///
/// impl Projects for Makefiles {
///     fn folder(&self, _root: &str, _cwd: &str) -> String {
///         String::new()
///     }
///     fn found(&self, _root: &str, folder: &str) -> Vec<FoundCommand> {
///         vec![FoundCommand::new(folder, "test", "make test", "Makefile")]
///     }
///     fn anchors(&self, _root: &str, _folder: &str, _command: &str) -> Vec<Anchor> {
///         Vec::new()
///     }
///     fn states(&self, _root: &str, anchors: &[Anchor]) -> Vec<AnchorState> {
///         vec![AnchorState::Unknown; anchors.len()]
///     }
///     fn has_branch(&self, _root: &str, _branch: &str) -> Option<bool> {
///         None
///     }
/// }
/// ```
pub trait Projects: Send + Sync {
    /// The folder of the nearest manifest at or above `cwd`, below the root.
    fn folder(&self, root: &str, cwd: &str) -> String;

    /// What the manifests of a folder declare: at most one command of each kind.
    fn found(&self, root: &str, folder: &str) -> Vec<FoundCommand>;

    /// What a command that is run in a folder rests on, as it is now.
    fn anchors(&self, root: &str, folder: &str, command: &str) -> Vec<Anchor>;

    /// What became of anchors, in their order.
    fn states(&self, root: &str, anchors: &[Anchor]) -> Vec<AnchorState>;

    /// What a command that is run in a folder names and the project does not have: its place, as
    /// in an anchor, and the name that is most like it. `None` where nobody can tell.
    fn missing(
        &self,
        _root: &str,
        _folder: &str,
        _command: &str,
    ) -> Option<(String, Option<String>)> {
        None
    }

    /// Whether the clone at the root has a branch; `None` where nobody can tell.
    fn has_branch(&self, root: &str, branch: &str) -> Option<bool>;

    /// Whether the clone at the root is one of the repository that it names. One that only
    /// names it neither reads nor teaches what was learned there.
    fn knows(&self, _root: &str, _repo: &str) -> bool {
        true
    }

    /// The repository that the clone at the root named before, if that was another.
    fn named_before(&self, _root: &str, _repo: &str) -> Option<String> {
        None
    }

    /// What is another text once what runners need to start has changed in a folder: its lock
    /// files, engines and installed packages.
    fn ground(&self, _root: &str, _folder: &str) -> Option<String> {
        None
    }

    /// Whether what a folder needs is installed already.
    fn is_installed(&self, _root: &str, _folder: &str) -> bool {
        false
    }
}

/// A command that a project declares.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundCommand {
    /// The folder of its manifest, from the root; empty at the root itself.
    pub folder: String,
    /// What it does: `build`, `test`, `lint`, `format`, `typecheck`, `run`, `install` or `setup`.
    pub kind: String,
    /// The command, to be run in that folder.
    pub command: String,
    /// The file that declares it, such as `package.json`.
    pub from: String,
    /// What else is needed for it, in plain words.
    pub note: Option<String>,
}

impl FoundCommand {
    /// A command of a kind that a file of a folder declares.
    #[must_use]
    pub fn new(folder: &str, kind: &str, command: &str, from: &str) -> FoundCommand {
        FoundCommand {
            folder: folder.to_owned(),
            kind: kind.to_owned(),
            command: command.to_owned(),
            from: from.to_owned(),
            note: None,
        }
    }

    /// The same with what else is needed for it.
    #[must_use]
    pub fn with_note(self, note: String) -> FoundCommand {
        let note = Some(note);
        FoundCommand { note, ..self }
    }
}
