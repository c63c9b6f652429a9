//! Checkouts: what Nudge reads of one, without an object of git's, and git itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a folder a checkout of a repository of `acme`, on a branch.
pub(crate) fn checkout(root: &Path, name: &str, branch: &str) {
    let git = root.join(".git");
    fs::create_dir_all(&git).unwrap();
    fs::write(git.join("HEAD"), format!("ref: refs/heads/{branch}\n")).unwrap();
    let remote = format!("[remote \"origin\"]\n\turl = git@github.com:acme/{name}.git\n");
    fs::write(git.join("config"), remote).unwrap();
}

/// Writes a file below folders that need not be there.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Every file below a folder, with what is in it.
pub(crate) fn files_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (kind, path) = (entry.file_type().unwrap(), entry.path());
        if kind.is_dir() {
            all.extend(files_of(&path));
        } else if kind.is_file() {
            let bytes = fs::read(&path).unwrap();
            all.insert(path, bytes);
        }
    }
    all
}

/// The names in a folder, in their order.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// What git says to the words of a line, as somebody who has set up nothing.
#[track_caller]
pub(crate) fn git(folder: &Path, line: &str) -> String {
    let mut git = Command::new("git");
    git.current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_NAME"), "ann");
        git.env(format!("GIT_{who}_EMAIL"), "ann@example.com");
    }
    let done = git.args(line.split(' ')).output().unwrap();
    assert!(done.status.success(), "{line}: {done:?}");
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}
