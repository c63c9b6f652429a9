//! What the system allows a process.

use rustix::process::{Resource, getrlimit, setrlimit};

/// What is asked for where there is no maximum: macOS allows no process more, and refuses
/// one that asks for no limit at all.
const MANY: u64 = 10_240;

/// How many files this process may have open, once it has asked for as many as
/// it is allowed to. The lower limit that it starts with is there for programs
/// that wait by `select`, and we do not.
pub(crate) fn open_files() -> Option<u64> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum.or(Some(MANY));
    // Where this is refused, the limit stays, and fewer may connect.
    let _ = setrlimit(Resource::Nofile, limit);
    getrlimit(Resource::Nofile).current
}
