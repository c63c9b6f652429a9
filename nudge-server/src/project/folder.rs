//! Folders of a project, as paths from its root: which is the nearest with a manifest.

use super::files::Look;
use super::has;
use super::runner::manifests;

/// How many folders are looked at on the way up.
const MOST: usize = 32;

/// How many folders are looked at on the way down.
const MOST_FOLDERS: usize = 500;

/// The folder of the nearest manifest at or above a folder; empty at the root, and where
/// there is none.
pub(super) fn nearest(look: &Look<'_>, folder: &str) -> String {
    let found = up(folder).find(|folder| has_manifest(look, folder));
    found.unwrap_or_default().to_owned()
}

fn has_manifest(look: &Look<'_>, folder: &str) -> bool {
    manifests().any(|file| look.is_file(&join(folder, file)))
}

/// Folders of what is built or fetched.
const NOT_OURS: &str = "node_modules target vendor dist build out";

/// The folders below the root that have a manifest, those that are less deep first.
pub(super) fn all(look: &Look<'_>) -> Vec<String> {
    let mut folders = vec![String::new()];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned().filter(|_| at < MOST_FOLDERS) {
        let below = look.entries(&folder).unwrap_or_default().into_iter();
        let below = below.filter(|(name, seen)| seen.is_dir() && !name.starts_with('.'));
        let ours = below.filter(|(name, _)| !has(NOT_OURS, name));
        folders.extend(ours.map(|(name, _)| join(&folder, &name)));
        at += 1;
    }
    folders.truncate(MOST_FOLDERS);
    folders.retain(|folder| has_manifest(look, folder));
    folders
}

/// A folder and those above it, up to the root.
pub(super) fn up(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |&folder| match folder.rsplit_once('/') {
        Some((above, _)) => Some(above),
        None => (!folder.is_empty()).then_some(""),
    })
    .take(MOST)
}

pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        return name.to_owned();
    }
    format!("{folder}/{name}")
}

/// Where a path leads from a folder; `None` out of the root, or to what only a shell knows.
pub(crate) fn moved(folder: &str, path: &str) -> Option<String> {
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
