//! What is found and resolved in whole projects, as folders of this machine.

mod anchors;
mod ecosystems;
mod found;
mod hostile;
mod manifests;
mod resolve;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use chrono::DateTime;
use nudge::{ManualClock, Projects};
use tempfile::TempDir;

use super::ProjectFiles;

/// A project in a folder that goes with it.
pub(super) struct Project {
    folder: TempDir,
    pub(super) files: ProjectFiles,
}

impl Project {
    /// A project of files, each a path and a text.
    pub(super) fn of(files: &[(&str, &str)]) -> Project {
        let project = Project {
            folder: tempfile::tempdir().unwrap(),
            // Its files are from the future, so that each is read whenever it is asked.
            files: ProjectFiles::with_clock(ManualClock::at(DateTime::UNIX_EPOCH)),
        };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// A project of files between ` | `, each with what it says behind a `=`.
    pub(super) fn read(files: &str) -> Project {
        let files = files.split(" | ");
        let files = files.map(|file| file.split_once('=').unwrap_or((file, "")));
        Project::of(&files.collect::<Vec<_>>())
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(super) fn root(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn make_executable(&self, path: &str) {
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// What is found in a folder, as `kind: command (file)`.
    pub(super) fn found(&self, folder: &str) -> Vec<String> {
        let found = self.files.found(self.root(), folder).into_iter();
        let line = |one: nudge::FoundCommand| {
            assert_eq!(one.folder, folder);
            format!("{}: {} ({})", one.kind, one.command, one.from)
        };
        found.map(line).collect()
    }
}
