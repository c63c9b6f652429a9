//! Looking at a runtime folder and leaving everything as it is.

use std::path::{Path, PathBuf};

use super::members::holders;
use super::{BASE, Runtime, exactly, names};

impl Runtime {
    /// The folders that [`Runtime::open`] would try, the first one first.
    pub(crate) fn places(asked_for: Option<&Path>) -> Vec<PathBuf> {
        match asked_for {
            Some(folder) => vec![exactly(folder)],
            None => names(Path::new(BASE)).into(),
        }
    }

    /// A folder as it is. Whether it can be trusted is for the caller to know.
    pub(crate) fn as_it_is(folder: &Path) -> Runtime {
        Runtime {
            folder: folder.to_owned(),
        }
    }

    /// Whether the kernel tells who holds a lock.
    pub(crate) fn locks_are_told() -> bool {
        Path::new("/proc/locks").exists()
    }

    /// The process that holds the lock; `None` also where the kernel does not tell.
    pub(crate) fn lock_holder(&self) -> Option<u32> {
        holders(&self.lock_path(), "WRITE").first().copied()
    }
}
