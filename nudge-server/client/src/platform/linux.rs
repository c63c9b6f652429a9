//! What Linux tells; others have no such files.

use std::fs;
use std::path::Path;

use super::file_number;

/// How often the locks are read before nobody is said to hold one.
const LOOKS: usize = 4;

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
        locks
            .lines()
            .find_map(|line| holder(line, file_number(&seen)))
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
