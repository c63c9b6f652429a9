//! The members of a session: the PRIMARY and every PROXY.
//!
//! Each holds a shared lock on one file, so that the kernel knows who they are
//! and takes off those who die. The session lives while any member does.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nudge::Error;
use rustix::fs::OFlags;

use super::{Runtime, file, unusable};

/// A place among the members, until this is dropped or the process ends in
/// whatever way.
#[derive(Debug)]
pub struct Membership {
    file: File,
}

impl Runtime {
    /// Joins the members of the session.
    pub fn join_members(&self) -> Result<Membership, Error> {
        let refused = |error: io::Error| unusable(&self.members_path(), &error.to_string());
        let file = self.members_file().map_err(refused)?;
        file.lock_shared().map_err(refused)?;
        Ok(Membership { file })
    }

    /// Whether nobody is a member. Who is one itself asks in vain.
    #[must_use]
    pub fn is_deserted(&self) -> bool {
        // Where nothing can be said, nobody is taken for gone.
        let locked = self.members_file().map(|file| file.try_lock());
        matches!(locked, Ok(Ok(())))
    }

    /// Gives a place among the members up; true if it was the last.
    #[must_use]
    pub fn leave_members(&self, Membership { file }: Membership) -> bool {
        // The place is given up before the lock is asked for, so that of two who
        // leave at the same time one is the last.
        match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
        }
    }

    /// Whether a place is one in this folder still; whoever wipes the folder
    /// makes room for other members.
    #[must_use]
    pub fn is_member(&self, membership: &Membership) -> bool {
        let named = fs::symlink_metadata(self.members_path());
        matches!((membership.file.metadata(), named), (Ok(held), Ok(named))
            if (held.dev(), held.ino()) == (named.dev(), named.ino()))
    }

    /// The processes that are members; none where the kernel does not tell.
    #[must_use]
    pub fn members(&self) -> Vec<u32> {
        let mut members = holders(&self.members_path(), "READ");
        members.sort_unstable();
        members.dedup();
        members
    }

    fn members_file(&self) -> io::Result<File> {
        file::open(&self.members_path(), OFlags::RDWR | OFlags::CREATE)
    }

    fn members_path(&self) -> PathBuf {
        self.folder.join("session")
    }
}

/// The processes that hold a lock of a kind on a file; none where the kernel
/// does not tell.
pub(super) fn holders(path: &Path, kind: &str) -> Vec<u32> {
    let seen = fs::symlink_metadata(path);
    let locks = fs::read_to_string("/proc/locks");
    let (Ok(seen), Ok(locks)) = (seen, locks) else {
        return Vec::new();
    };
    let lines = locks.lines();
    lines
        .filter_map(|line| holder(line, kind, seen.ino()))
        .collect()
}

/// The process that a line of `/proc/locks` shows to hold a file: `READ` with
/// others, `WRITE` alone.
fn holder(line: &str, kind: &str, inode: u64) -> Option<u32> {
    let mut words = line.split_ascii_whitespace().skip(1);
    if words.next()? != "FLOCK" || words.nth(1)? != kind {
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
    fn a_member_is_told_from_those_who_wait_or_hold_another_lock() {
        let held = |line| holder(line, "READ", 77);
        assert_eq!(held("1: FLOCK  ADVISORY  READ 42 08:01:77 0 EOF"), Some(42));
        for other in [
            "1: FLOCK  ADVISORY  READ 42 08:01:78 0 EOF",
            "1: FLOCK  ADVISORY  WRITE 42 08:01:77 0 EOF",
            "1: POSIX  ADVISORY  READ 42 08:01:77 0 EOF",
            "1: -> FLOCK  ADVISORY  READ 42 08:01:77 0 EOF",
            "",
        ] {
            assert_eq!(held(other), None, "{other}");
        }
        let alone = "1: FLOCK  ADVISORY  WRITE 42 08:01:77 0 EOF";
        assert_eq!(holder(alone, "WRITE", 77), Some(42));
    }

    #[test]
    fn the_last_to_leave_knows_it() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = Runtime::open(Some(folder.path())).unwrap();
        assert!(runtime.is_deserted());
        let (one, other) = (
            runtime.join_members().unwrap(),
            runtime.join_members().unwrap(),
        );
        assert!(!runtime.is_deserted());
        assert!(!runtime.leave_members(one));
        assert!(runtime.leave_members(other));
        assert!(runtime.is_deserted());
    }
}
