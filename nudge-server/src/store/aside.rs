//! Files that were moved aside because they could not be used, and when they go.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, time::UNIX_EPOCH};

use nudge_client::folder::STORE;

use super::database::{Refusal, Schema, unusable};
use super::history::HISTORY;
use crate::sync::forget_clone;

/// What SQLite puts beside a file, after its own name.
pub(super) const ENDS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// For how many milliseconds a file that was moved aside stays.
const STAYS: u128 = 7 * 24 * 3600 * 1000;

/// Moves a file and what SQLite put beside it to `<name>.damaged-<milliseconds>`, and says
/// where it is now; `None` where there is none.
pub(crate) fn put_aside(folder: &Path, name: &str) -> io::Result<Option<PathBuf>> {
    if fs::symlink_metadata(folder.join(name)).is_err() {
        return Ok(None);
    }
    let now = UNIX_EPOCH.elapsed().unwrap_or_default().as_millis();
    let mut names = (now..).map(|at| folder.join(format!("{name}.damaged-{at}")));
    // Two may be moved within a millisecond.
    let aside = names.find(|aside| fs::symlink_metadata(aside).is_err());
    let aside = aside.ok_or(io::ErrorKind::AlreadyExists)?;
    for end in ENDS {
        match fs::rename(with_end(&folder.join(name), end), with_end(&aside, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(Some(aside))
}

/// Moves a file aside that is damaged, or whose tables are not ours, and says where it is now
/// and what the user is to know.
pub(crate) fn move_aside(
    folder: &Path,
    schema: &Schema,
    is_damaged: bool,
) -> Result<(PathBuf, String), Refusal> {
    let name = schema.name;
    let why = if is_damaged {
        "is damaged"
    } else {
        "has tables in it that are not Nudge's"
    };
    let refused = |error: io::Error| unusable(name.as_ref(), format!("it {why}, and {error}"));
    let moved =
        put_aside(folder, name).and_then(|moved| moved.ok_or(io::ErrorKind::NotFound.into()));
    let moved = moved.map_err(refused)?;
    let notice = format!(
        "`{name}` {why}; it was moved to `{}`, and a new one was made",
        moved.display()
    );
    Ok((moved, notice))
}

/// Deletes all that was moved aside, and says how many files that were.
pub(crate) fn remove_aside(folder: &Path, name: &str) -> io::Result<usize> {
    forget_clone(folder);
    remove(folder, name, u128::MAX)
}

/// Deletes what was moved aside more than a week before `now`, in milliseconds since 1970.
pub(crate) fn forget_old_aside(folder: &Path, name: &str, now: u128) -> io::Result<usize> {
    remove(folder, name, now.saturating_sub(STAYS))
}

/// The files that were moved aside, without what SQLite put beside them.
pub(crate) fn aside_of(folder: &Path, name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_aside = |path: &PathBuf| {
        let found = path.file_name().and_then(|found| found.to_str());
        let at = found.and_then(|found| found.strip_prefix(name)?.strip_prefix(".damaged-"));
        at.is_some_and(|at| at.bytes().all(|byte| byte.is_ascii_digit()))
    };
    entries.map(|entry| entry.path()).filter(is_aside).collect()
}

/// Everything in a folder that says what a user stored or did: the files, what SQLite put beside
/// them, what was moved aside, and what servers note beside them.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        let is_of = |of: &str| {
            let end = name.strip_prefix(of);
            end.is_some_and(|end| ENDS.contains(&end) || end.starts_with(".damaged-"))
        };
        is_of(STORE) || is_of(HISTORY) || name == "starts"
    };
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(is_ours).collect();
    files.sort();
    files
}

/// Whether a folder has a history, whatever is in it.
pub(crate) fn has_history(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(HISTORY)).is_ok()
}

fn remove(folder: &Path, name: &str, before: u128) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.file_name();
        let end = found.to_str().and_then(|it| it.strip_prefix(name));
        let at = end.and_then(|end| end.strip_prefix(".damaged-")?.split('-').next());
        if at.is_some_and(|at| at.parse().is_ok_and(|at: u128| at < before)) {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

pub(super) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut path = OsString::from(path);
    path.push(end);
    path.into()
}
