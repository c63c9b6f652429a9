//! Which branches a clone has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use nudge_client::folder::file::read_linked;

use super::commits::GitFolder;

/// The most that is read of one file of git.
const LARGEST: u64 = 4 * 1024 * 1024;

/// About how many branches are told.
const MOST_BRANCHES: usize = 1000;

/// Whether the clone at a root has a branch; `None` where that cannot be told.
pub(super) fn has_branch(root: &Path, branch: &str) -> Option<bool> {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.');
    if branch.contains(char::is_control) || !branch.split('/').all(is_part) {
        return None;
    }
    let common = GitFolder::at(root)?.common;
    let heads = common.join("refs/heads");
    // Where references are kept in tables, files say nothing about them.
    if common.join("reftable").exists() || !heads.is_dir() {
        return None;
    }
    let packed = common.join("packed-refs");
    if heads.join(branch).is_file() || !packed.exists() {
        return Some(heads.join(branch).is_file());
    }
    let wanted = format!(" refs/heads/{branch}");
    Some(text(&packed)?.lines().any(|line| line.ends_with(&wanted)))
}

/// The branches of the clone at a root, as far as files tell them.
pub(super) fn branches(root: &Path) -> Option<BTreeSet<String>> {
    let common = GitFolder::at(root)?.common;
    let heads = common.join("refs/heads");
    let packed = text(&common.join("packed-refs")).unwrap_or_default();
    let packed = packed
        .lines()
        .filter_map(|line| line.split_once(" refs/heads/"));
    let mut names: BTreeSet<String> = packed.map(|(_, name)| name.to_owned()).collect();
    let mut folders = vec![heads.clone()];
    while let Some(folder) = folders.pop().filter(|_| names.len() < MOST_BRANCHES) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // A link is not followed.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                _ => {
                    let name = path.strip_prefix(&heads).ok().and_then(Path::to_str);
                    names.extend(name.map(|name| name.replace('\\', "/")));
                }
            }
        }
    }
    Some(names)
}

fn text(path: &Path) -> Option<String> {
    String::from_utf8(read_linked(path, LARGEST).ok()?).ok()
}
