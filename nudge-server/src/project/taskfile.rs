//! Task files: their tasks.

use super::blocks::{blocks, dedented};
use super::manifest::Manifest;

pub(super) const FILES: [&str; 5] = [
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
];

/// Reads a task file, of which only names are needed: the lines and their indents tell
/// those, so no reader of all of YAML has to be fed what anybody wrote. Tasks that are
/// written in another way are not understood.
pub(super) fn read(text: &str) -> Manifest {
    let parts = blocks(text);
    let is_open = parts.iter().any(|(line, _)| line.starts_with("includes:"));
    let mut manifest = Manifest::open(is_open);
    let tasks = parts.iter().find(|(line, _)| line.trim_end() == "tasks:");
    let tasks = tasks.map(|(_, tasks)| dedented(tasks)).unwrap_or_default();
    for (line, body) in blocks(&tasks) {
        let whole = line.trim_end().strip_suffix(':').map(|name| (name, ""));
        let Some((name, value)) = whole.or_else(|| line.split_once(": ")) else {
            return Manifest::default();
        };
        let name = name.trim_matches(['"', '\'']);
        // A name with a star stands for many.
        manifest.is_open |= name.contains('*');
        manifest.declare(name, format!("{value}{body}").trim());
    }
    manifest
}
