//! `mise.toml`: its tasks.

use toml_edit::DocumentMut;

use super::manifest::Manifest;
use super::pyproject::declare_all;

pub(super) const FILES: [&str; 2] = ["mise.toml", ".mise.toml"];

/// What stands before the name of a task in an anchor.
pub(super) const TASKS: &str = "tasks.";

/// Reads a `mise.toml`. Tasks may also be files, and come from folders above and the home,
/// so what is not here may be there.
pub(super) fn read(text: &str) -> Manifest {
    let mut manifest = Manifest::open(true);
    let document: DocumentMut = text.parse().unwrap_or_default();
    declare_all(&mut manifest, document.as_item(), TASKS);
    manifest
}
