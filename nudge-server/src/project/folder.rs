//! Folders of a project, as paths from its root: which is the nearest with a manifest.

use super::files::Look;
use super::runner::manifests;

/// How many folders are looked at on the way up.
const MOST: usize = 32;

/// The folder of the nearest manifest at or above a folder; empty at the root, and where
/// there is none.
pub(super) fn nearest(look: &Look<'_>, folder: &str) -> String {
    let found = up(folder).find(|folder| has_manifest(look, folder));
    found.unwrap_or_default().to_owned()
}

fn has_manifest(look: &Look<'_>, folder: &str) -> bool {
    manifests().any(|file| look.is_file(&join(folder, file)))
}

/// A folder and those above it, up to the root.
pub(super) fn up(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |&folder| match folder.rsplit_once('/') {
        Some((above, _)) => Some(above),
        None => (!folder.is_empty()).then_some(""),
    })
    .take(MOST)
}

/// The path of something in a folder.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        return name.to_owned();
    }
    format!("{folder}/{name}")
}

/// Where a path leads from a folder; `None` out of the root, or to what only a shell knows.
pub(super) fn moved(folder: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) || path.contains(['$', '`', '*']) {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
