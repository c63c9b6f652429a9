//! `.nudge-hints.json`: the hints that a project has in its repository.
//!
//! Whoever can commit to the repository has written it, so it is looked at before it is
//! opened, and nothing outside of the repository is touched.

use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use nudge_client::folder::file::read_foreign;
use nudge_client::platform::{self, mode};

use crate::platform::replace_with_mode;

/// What the file is called, at the root of a repository.
pub(crate) const NAME: &str = ".nudge-hints.json";

const MAX_BYTES: u64 = 1024 * 1024;

/// How many seconds after a change another one may go unseen: some disks know no shorter time.
const RACY: u64 = 2;

/// The file as it was when it was read.
#[derive(Debug)]
pub(crate) struct HintsFile {
    pub(crate) content: Content,
    /// Absent where it has just changed: another change might not show.
    stamp: Option<Stamp>,
}

/// What there is in the place of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Absent,
    /// Something that is not read, and why.
    Refused(String),
    Bytes(Vec<u8>),
}

/// What tells a file from what was there before: the name's, and of a link that of what it leads to.
pub(crate) type Stamp = [Option<platform::Stamp>; 2];

pub(crate) fn read(root: &Path) -> HintsFile {
    read_at(root, SystemTime::now())
}

fn read_at(root: &Path, now: SystemTime) -> HintsFile {
    // It is taken first, so that what changes from here on is seen at the next look.
    let stamp = stamp(root);
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let is_near = |(seconds, _): &(i64, i64)| now.abs_diff(seconds.unsigned_abs()) <= RACY;
    let mut seen = stamp.iter().flatten();
    let is_racy = seen.any(|(_, times)| times.iter().any(is_near));
    let content = match find(root).and_then(|path| read_foreign(&path, MAX_BYTES)) {
        Ok(bytes) => Content::Bytes(bytes),
        // A link to nothing is something.
        Err(error) if error.kind() == ErrorKind::NotFound && stamp[0].is_none() => Content::Absent,
        Err(error) => Content::Refused(refusal(&root.join(NAME), "read", error)),
    };
    let stamp = (!is_racy).then_some(stamp);
    HintsFile { content, stamp }
}

/// What tells whether the file at a root is another one, without reading it.
pub(crate) fn stamp(root: &Path) -> Stamp {
    let seen = |path: PathBuf| fs::symlink_metadata(path).ok();
    let named = seen(root.join(NAME));
    let link = named.as_ref().filter(|named| named.is_symlink());
    let target = link.and_then(|_| seen(find(root).ok()?));
    [named, target].map(|seen| seen.as_ref().map(platform::stamp))
}

impl HintsFile {
    /// Whether a file with this stamp is as it was read.
    pub(crate) fn is_current(&self, stamp: &Stamp) -> bool {
        self.stamp == Some(*stamp)
    }
}

/// Where the bytes are: at the root or, where that is a link, straight below it. A link that
/// needs another one could lead out, to a disk that never answers.
fn find(root: &Path) -> io::Result<PathBuf> {
    let path = root.join(NAME);
    if !path.is_symlink() {
        return Ok(path);
    }
    let mut target = root.to_owned();
    for part in fs::read_link(&path)?.components() {
        let is_below = matches!(part, Component::Normal(_) | Component::CurDir);
        target.push(part);
        if !is_below || target.is_symlink() {
            return Err(io::Error::other(
                "it is a link that leads out of the repository, or to a link",
            ));
        }
    }
    Ok(target)
}

/// What cannot be done with a file, and why, in a sentence without anything that is in it.
pub(crate) fn refusal(path: &Path, done: &str, why: impl Display) -> String {
    format!("`{}` cannot be {done}: {why}", path.display())
}

/// Makes the file at a root say this, with the mode that it has. A link is left alone.
pub(crate) fn replace(root: &Path, bytes: &[u8]) -> Result<(), String> {
    let path = root.join(NAME);
    let refused = |why: &str| Err(refusal(&path, "written", why));
    let mode = match fs::symlink_metadata(&path) {
        Ok(seen) if !seen.is_file() => return refused("it is a link, or not a file"),
        Ok(seen) => mode(&seen),
        Err(_) => 0o644,
    };
    if bytes.len() as u64 > MAX_BYTES {
        return refused("it would be longer than 1 MiB");
    }
    replace_with_mode(&path, bytes, mode).or_else(|error| refused(&error.to_string()))
}

#[cfg(test)]
mod tests;
