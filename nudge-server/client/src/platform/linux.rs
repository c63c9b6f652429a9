//! What Linux tells; others have no such files.

use std::fs;
use std::path::Path;

use super::{file_number, kernel_text};
use crate::folder::file::read_foreign;

/// How often the locks are read before nobody is said to hold one.
const LOOKS: usize = 4;

/// The most that is read of all locks, in bytes.
const MOST_LOCKS: u64 = 16 * 1024 * 1024;

/// How many parents of a process are looked at.
const MOST_PARENTS: usize = 32;

pub(super) fn state(pid: u32) -> Option<char> {
    state_in(&format!("/proc/{pid}"))
}

/// Whether one of a process's threads runs, or waits for a processor or a disk. The first of them
/// may wait for another.
pub(super) fn is_at_work(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let mut threads = threads.into_iter().flatten().flatten();
    threads.any(|thread| matches!(state_in(&thread.path().display()), Some('R' | 'D')))
}

fn state_in(folder: &dyn std::fmt::Display) -> Option<char> {
    let stat = kernel_text(&format!("{folder}/stat"))?;
    let (_, after) = parts(&stat)?;
    after.chars().next()
}

/// The name of a program, and what `/proc/PID/stat` says after it. The name is in parentheses
/// and may hold some itself.
fn parts(stat: &str) -> Option<(&str, &str)> {
    let (before, after) = stat.rsplit_once(')')?;
    Some((before.split_once('(')?.1, after.trim_start()))
}

/// The programs above this process, looked at one by one: what each calls itself, and the names
/// of the first two words that it was started with, of which one may be an interpreter's.
pub(super) fn parent_programs() -> impl Iterator<Item = Vec<String>> {
    let mut stat = kernel_text("/proc/self/stat");
    let looked_at = std::iter::from_fn(move || {
        // Nobody has the number 0, which is above the first.
        let (_, after) = parts(stat.as_deref()?)?;
        let above = after.split(' ').nth(1).filter(|pid| *pid != "0")?;
        let words = kernel_text(&format!("/proc/{above}/cmdline")).unwrap_or_default();
        let words = words.split('\0').take(2);
        let words = words.filter_map(|word| word.rsplit('/').next());
        stat = kernel_text(&format!("/proc/{above}/stat"));
        let (name, _) = parts(stat.as_deref()?)?;
        Some([name].into_iter().chain(words).map(str::to_owned).collect())
    });
    looked_at.take(MOST_PARENTS)
}

/// The process that holds the lock on a file, whether others may know it or not.
#[must_use]
pub fn lock_holder(path: &Path) -> Option<u32> {
    let seen = fs::symlink_metadata(path).ok()?;
    // The kernel lists them piece by piece, and one may slip through as others go.
    (0..LOOKS).find_map(|_| {
        let locks = read_foreign(Path::new("/proc/locks"), MOST_LOCKS).ok()?;
        String::from_utf8_lossy(&locks)
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

    #[test]
    fn a_process_is_at_work_while_its_first_thread_waits_for_another() {
        // The first thread of these tests waits for them.
        assert!(is_at_work(std::process::id()));
        let mut idle = std::process::Command::new("cat");
        let idle = idle.stdin(std::process::Stdio::piped()).spawn();
        let mut idle = idle.unwrap();
        while is_at_work(idle.id()) {
            std::thread::yield_now();
        }
        drop(idle.stdin.take());
        idle.wait().unwrap();
    }
}
