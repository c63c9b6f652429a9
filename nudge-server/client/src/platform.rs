//! What only some systems tell about processes; the rest of this crate is portable.
//!
//! Where a system tells nothing, the session folder has to do: it is this user's alone, and
//! so is whoever has a socket in it.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::folder::is_private;

/// Makes a Linux do as a system that tells nothing, so that this is tried as well.
const PORTABLE: &str = "NUDGE_PORTABLE";

/// Whether the kernel is asked nothing that only Linux tells.
#[must_use]
pub fn is_portable() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os(PORTABLE).is_some()
}

/// The process at the other end of a connection to a socket, where the kernel tells; an
/// error if it is another user's.
pub fn own_peer(stream: impl AsFd, socket: &Path) -> io::Result<Option<u32>> {
    let (pid, is_ours) = if is_portable() {
        (None, is_in_private_folder(socket))
    } else {
        linux::peer(stream)?
    };
    if is_ours {
        return Ok(pid);
    }
    let words = "the server may be another user's";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, words))
}

/// Whether only this user can have put a socket where it is.
fn is_in_private_folder(socket: &Path) -> bool {
    let folder = socket.parent().map(fs::symlink_metadata);
    folder.is_some_and(|seen| seen.is_ok_and(|seen| is_private(&seen)))
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

/// Whether a process may still hold what ends with it; true where the kernel does not tell.
#[must_use]
pub fn may_be_ending(pid: u32) -> bool {
    is_portable() || linux::state(pid).is_some()
}

/// The program of this process, or the one that was installed in its place meanwhile.
pub(crate) fn this_program() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    if program.exists() {
        return Ok(program);
    }
    // Linux says so of a program whose file was removed, and has it still.
    let shown = program.to_string_lossy();
    let replaced = shown.strip_suffix(" (deleted)").map(PathBuf::from);
    let replaced = replaced.filter(|program| program.exists());
    let kept = if is_portable() {
        program.clone()
    } else {
        "/proc/self/exe".into()
    };
    Ok(replaced.unwrap_or(kept))
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

/// What Linux tells; others have no such files.
#[doc(hidden)]
pub mod linux {
    use std::fs;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// How often the locks are read before nobody is said to hold one.
    const LOOKS: usize = 4;

    /// The process at the other end of a connection, and whether it is of this user.
    #[cfg(target_os = "linux")]
    pub(super) fn peer(stream: impl AsFd) -> io::Result<(Option<u32>, bool)> {
        let peer = rustix::net::sockopt::socket_peercred(stream)?;
        let pid = peer.pid.as_raw_nonzero().get().unsigned_abs();
        Ok((Some(pid), peer.uid == rustix::process::geteuid()))
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn peer(_: impl AsFd) -> io::Result<(Option<u32>, bool)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn state(pid: u32) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program is in parentheses and may hold some itself.
        let (_, after_name) = stat.rsplit_once(')')?;
        after_name.trim_start().chars().next()
    }

    /// The process that holds the lock on a file, whether others may know it or not.
    #[must_use]
    pub fn lock_holder(path: &Path) -> Option<u32> {
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_socket_is_ours_only_where_nobody_else_can_put_one() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("nudge.sock");
        for (mode, is_ours) in [(0o700, true), (0o755, true), (0o775, false), (0o777, false)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_in_private_folder(&socket), is_ours, "{mode:o}");
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        assert!(!is_in_private_folder(&link.join("nudge.sock")));
        assert!(!is_in_private_folder(Path::new("/tmp/nudge.sock")));
    }
}
