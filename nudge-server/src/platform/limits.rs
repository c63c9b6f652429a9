//! What the system allows a process.

/// How many files this process may have open, once it has asked for as many as
/// it is allowed to. The lower limit that it starts with is there for programs
/// that wait by `select`, and we do not.
pub(crate) fn open_files() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Where this is refused, the limit stays, and fewer may connect.
        let _ = setrlimit(Resource::Nofile, limit);
        getrlimit(Resource::Nofile).current
    }
    #[cfg(not(unix))]
    None
}
