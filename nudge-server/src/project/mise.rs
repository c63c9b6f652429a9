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

#[cfg(test)]
mod tests {
    use super::super::manifest::names_of;
    use super::*;

    #[test]
    fn tasks_are_read_and_others_may_be_there() {
        for (text, expected) in [
            (
                "[tasks]\n'test:unit' = 'y'\nlint = {run = 'z'}\n",
                "tasks.test:unit tasks.lint …",
            ),
            (
                "[tasks.build]\nrun = 'x'\n\n[tools]\nnode = '22'\n",
                "tasks.build …",
            ),
            ("[tools]\n", " …"),
            ("[tasks", " …"),
        ] {
            assert_eq!(names_of(&read(text)), expected, "{text}");
        }
    }
}
