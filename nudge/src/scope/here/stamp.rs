//! `Stamp`: what a file looks like from outside, to know whether it changed.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How old a change must be for a later one to show. The clock of a file system
/// moves in steps of some milliseconds, and two changes may fall into one.
const STEP: Duration = Duration::from_millis(100);

/// A file as it was when it was looked at.
#[derive(Debug, PartialEq)]
pub(super) struct Stamp {
    place: FileIdentity,
    length: u64,
    modified: Option<SystemTime>,
    is_file: bool,
}

impl Stamp {
    /// Looks at a file, and not at what it leads to; `None` where there is none.
    pub(super) fn of(path: &Path) -> Option<Stamp> {
        let seen = fs::symlink_metadata(path).ok()?;
        Some(Stamp {
            place: place(&seen),
            length: seen.len(),
            modified: seen.modified().ok(),
            is_file: seen.is_file(),
        })
    }

    /// Whether a change from now on would show.
    #[expect(
        clippy::disallowed_methods,
        reason = "the time of the machine that the file is on, and not that of a store"
    )]
    pub(super) fn is_settled(&self) -> bool {
        let age = self.modified.and_then(|modified| {
            let now = SystemTime::now();
            now.duration_since(modified).ok()
        });
        self.is_file && age.is_some_and(|age| age > STEP)
    }
}

/// Which file it is, and when anything about it was last changed.
#[cfg(unix)]
type FileIdentity = (u64, u64, i64, i64);

#[cfg(unix)]
fn place(seen: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (seen.dev(), seen.ino(), seen.ctime(), seen.ctime_nsec())
}

#[cfg(not(unix))]
type FileIdentity = Option<SystemTime>;

#[cfg(not(unix))]
fn place(seen: &Metadata) -> FileIdentity {
    seen.created().ok()
}
