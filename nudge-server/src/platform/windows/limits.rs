//! What the system allows a process.

/// Windows has no limit of open files that would be reached.
pub(crate) fn open_files() -> Option<u64> {
    None
}
