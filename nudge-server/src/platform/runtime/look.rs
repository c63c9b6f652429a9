//! Looking at a runtime folder and leaving everything as it is.

use std::path::Path;

use super::Runtime;
use super::members::holders;

impl Runtime {
    /// A folder as it is. Whether it can be trusted is for the caller to know.
    pub(crate) fn as_it_is(folder: &Path) -> Runtime {
        Runtime {
            folder: folder.to_owned(),
            is_default: false,
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
