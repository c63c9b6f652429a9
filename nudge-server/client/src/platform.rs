//! What only some systems tell about processes; the rest of this crate is portable.
//!
//! Where a system tells nothing, the session folder has to do: it is this user's alone, and
//! so is whoever has a socket in it.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;

/// Makes a Linux do as a system that tells nothing, so that this is tried as well.
const PORTABLE: &str = "NUDGE_PORTABLE";

/// Whether the kernel is asked nothing that only Linux tells.
#[must_use]
pub fn is_portable() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os(PORTABLE).is_some()
}

/// The process at the other end of a Unix socket, where the kernel tells; an error if it
/// is another user's.
pub fn own_peer(socket: impl AsFd) -> io::Result<Option<u32>> {
    if is_portable() {
        return Ok(None);
    }
    linux::own_peer(socket).map(Some)
}

/// The process that holds the lock on a file; `None` also where the kernel does not tell.
#[must_use]
pub fn lock_holder(path: &Path) -> Option<u32> {
    if is_portable() {
        return None;
    }
    linux::lock_holder(path)
}

/// Whether the kernel tells who holds a lock.
#[must_use]
pub fn locks_are_told() -> bool {
    !is_portable() && Path::new("/proc/locks").exists()
}

/// Whether a process was stopped; false where the kernel does not tell.
#[must_use]
pub fn is_stopped(pid: u32) -> bool {
    !is_portable() && linux::state(pid) == Some('T')
}

/// Whether a process is at work, or would be if it had a processor or a disk; false where
/// the kernel does not tell.
#[must_use]
pub fn is_at_work(pid: u32) -> bool {
    !is_portable() && matches!(linux::state(pid), Some('R' | 'D'))
}

/// Lets a child go on that may have been stopped.
pub fn let_continue(pid: u32) {
    signal(pid, rustix::process::Signal::CONT);
}

/// Ends a process at once. Only who has asked the kernel for its number may.
pub fn end(pid: u32) {
    signal(pid, rustix::process::Signal::KILL);
}

fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // One that has ended has no use for it.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// How often the locks are read before nobody is said to hold one.
    const LOOKS: usize = 4;

    pub(super) fn own_peer(socket: impl AsFd) -> io::Result<u32> {
        let peer = rustix::net::sockopt::socket_peercred(socket)?;
        if peer.uid == rustix::process::geteuid() {
            return Ok(peer.pid.as_raw_nonzero().get().unsigned_abs());
        }
        let words = "the server is of another user";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, words))
    }

    pub(super) fn state(pid: u32) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program is in parentheses and may hold some itself.
        let (_, after_name) = stat.rsplit_once(')')?;
        after_name.trim_start().chars().next()
    }

    pub(super) fn lock_holder(path: &Path) -> Option<u32> {
        let seen = fs::symlink_metadata(path).ok()?;
        // The kernel lists them piece by piece, and one may slip through as others go.
        (0..LOOKS).find_map(|_| {
            let locks = fs::read_to_string("/proc/locks").ok()?;
            locks.lines().find_map(|line| holder(line, seen.ino()))
        })
    }

    /// The process that a line of `/proc/locks` shows to hold a file alone.
    fn holder(line: &str, inode: u64) -> Option<u32> {
        let mut words = line.split_ascii_whitespace().skip(1);
        if words.next()? != "FLOCK" || words.nth(1)? != "WRITE" {
            return None;
        }
        let pid = words.next()?.parse().ok()?;
        let place = words.next()?;
        let locked = place.rsplit(':').next()?.parse();
        (locked == Ok(inode)).then_some(pid)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn who_holds_a_lock_is_told_from_those_who_wait_or_hold_another() {
            let held = |line| holder(line, 77);
            assert_eq!(
                held("1: FLOCK  ADVISORY  WRITE 42 08:01:77 0 EOF"),
                Some(42)
            );
            for other in [
                "1: FLOCK  ADVISORY  WRITE 42 08:01:78 0 EOF",
                "1: FLOCK  ADVISORY  READ 42 08:01:77 0 EOF",
                "1: POSIX  ADVISORY  WRITE 42 08:01:77 0 EOF",
                "1: -> FLOCK  ADVISORY  WRITE 42 08:01:77 0 EOF",
                "",
            ] {
                assert_eq!(held(other), None, "{other}");
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    use std::io;
    use std::os::fd::AsFd;
    use std::path::Path;

    pub(super) fn own_peer(_: impl AsFd) -> io::Result<u32> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn state(_: u32) -> Option<char> {
        None
    }

    pub(super) fn lock_holder(_: &Path) -> Option<u32> {
        None
    }
}
