//! Reading the files of a project: within bounds, without waiting, and never out of its
//! root.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use nudge::Clock;
use nudge_client::folder::file::read_foreign;
use nudge_client::platform::{Stamp, stamp};
use parking_lot::Mutex;

use super::folder::join;
use super::has;
use super::manifest::Manifest;
use crate::install::program::find;

const LARGEST: u64 = 256 * 1024;

/// What one look at a project reads in all, and how long it goes on reading.
const MOST: u64 = 1024 * 1024;
const LONGEST: TimeDelta = TimeDelta::milliseconds(20);

/// How many entries of a folder are looked at.
const MOST_ENTRIES: usize = 1000;

/// How many folders a walk enters, and after how many entries it goes no further.
const MOST_WALKED: usize = 100;
const MOST_SEEN: usize = 2000;

/// How many files are remembered, and of how many commands the kind.
const REMEMBERED: usize = 256;
const REMEMBERED_KINDS: usize = 4096;

/// How many seconds old the last change of a file must be for the next one to show. The
/// coarsest stamps that files have, those of FAT, move in steps of two seconds.
const STEP: i64 = 2;

/// Reads what a file declares, which is nothing where it cannot be understood.
pub(super) type Reader = fn(&str) -> Manifest;

/// The files of all projects, with what the last ones said.
pub(super) struct Files {
    clock: Box<dyn Clock>,
    known: Mutex<HashMap<PathBuf, Known>>,
    kinds: Mutex<HashMap<String, Option<&'static str>>>,
    /// How many files of each ending there are below folders, and until when that is believed.
    counts: Mutex<HashMap<PathBuf, (DateTime<Utc>, Counts)>>,
    /// Where programs are looked for, if they are.
    path: Option<OsString>,
}

/// How many files there are of each ending.
pub(super) type Counts = Arc<HashMap<&'static str, usize>>;

/// What a file said when it was read.
struct Known {
    stamp: Stamp,
    manifest: Arc<Manifest>,
}

impl Files {
    pub(super) fn new(clock: Box<dyn Clock>, path: Option<OsString>) -> Files {
        let (known, kinds, counts) = Default::default();
        Files {
            clock,
            known,
            kinds,
            counts,
            path,
        }
    }

    pub(super) fn look<'a>(&'a self, root: &'a str) -> Look<'a> {
        Look {
            files: self,
            root: Path::new(root),
            until: self.clock.now() + LONGEST,
            left: Cell::new(MOST),
        }
    }
}

/// One look at a project, which reads only so much. Paths are from its root.
pub(super) struct Look<'a> {
    files: &'a Files,
    root: &'a Path,
    until: DateTime<Utc>,
    left: Cell<u64>,
}

impl Look<'_> {
    /// Whether there is anything at a path, be it a link to nowhere.
    pub(super) fn is_there(&self, path: &str) -> bool {
        let full = self.full(path);
        full.is_some_and(|full| fs::symlink_metadata(full).is_ok())
    }

    /// Whether there is a regular file, or a link to one.
    pub(super) fn is_file(&self, path: &str) -> bool {
        self.seen(path).is_some_and(|(_, seen)| seen.is_file())
    }

    /// What a file declares; `None` where there is none that can be read.
    pub(super) fn manifest(&self, path: &str, read: Reader) -> Option<Arc<Manifest>> {
        let (full, seen) = self.seen(path)?;
        let stamp = stamp(&seen);
        if let Some(known) = self.files.known.lock().get(&full)
            && known.stamp == stamp
        {
            return Some(Arc::clone(&known.manifest));
        }
        let read_at = self.files.clock.now();
        let manifest = Arc::new(read(&self.text(path)?));
        // Git's rule: of what changed just now, another change might not show.
        let (_, [modified, changed]) = stamp;
        if read_at.timestamp() - modified.0.max(changed.0) > STEP {
            let mut known = self.files.known.lock();
            if known.len() >= REMEMBERED {
                known.clear();
            }
            let manifest = Arc::clone(&manifest);
            known.insert(full, Known { stamp, manifest });
        }
        Some(manifest)
    }

    /// Whether a program is known not to be on the PATH.
    pub(super) fn lacks(&self, program: &str) -> bool {
        let path = self.files.path.as_deref();
        path.is_some_and(|path| find(program, path).is_none())
    }

    /// The kind of a command, which takes its time to tell: a project may declare hundreds.
    pub(super) fn kind_of(&self, command: &str) -> Option<&'static str> {
        let mut kinds = self.files.kinds.lock();
        if let Some(kind) = kinds.get(command) {
            return *kind;
        }
        if kinds.len() >= REMEMBERED_KINDS {
            kinds.clear();
        }
        let kind = nudge::kind_of_command(command);
        kinds.insert(command.to_owned(), kind);
        kind
    }

    /// The text of a regular file, without a mark at its start and with plain line ends.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let (full, seen) = self.seen(path)?;
        let limit = LARGEST.min(self.left.get());
        let is_late = self.files.clock.now() >= self.until;
        if is_late || seen.len() > limit {
            return None;
        }
        let bytes = read_foreign(&self.inside(&full)?, limit).ok()?;
        let left = self.left.get().saturating_sub(bytes.len() as u64);
        self.left.set(left);
        let text = String::from_utf8(bytes).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        (!text.contains('\0')).then(|| text.replace("\r\n", "\n"))
    }

    /// The entries of a folder in the order of their names; `None` where there is no folder.
    pub(super) fn entries(&self, folder: &str) -> Option<Vec<(String, Metadata)>> {
        let listed = fs::read_dir(self.inside(&self.full(folder)?)?).ok()?;
        let mut entries = Vec::new();
        for entry in listed.take(MOST_ENTRIES).flatten() {
            if let (Ok(name), Ok(seen)) = (entry.file_name().into_string(), entry.metadata()) {
                entries.push((name, seen));
            }
        }
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        Some(entries)
    }

    /// What a walk counts below a folder; for a minute it is not walked again.
    pub(super) fn counted(&self, folder: &str, count: impl FnOnce() -> Counts) -> Counts {
        let (now, at) = (self.files.clock.now(), Path::new(self.root).join(folder));
        let known = self.files.counts.lock().get(&at).cloned();
        if let Some((_, counts)) = known.filter(|(until, _)| now < *until) {
            return counts;
        }
        let counts = count();
        let mut known = self.files.counts.lock();
        known.retain(|_, (until, _)| now < *until);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(at, (now + TimeDelta::minutes(1), Arc::clone(&counts)));
        counts
    }

    /// Tells the folders below one, each with the names of its files, those that are less deep
    /// first: only so many, and without following a link, so that a project of any size costs
    /// the same.
    pub(super) fn walk(&self, folder: &str, but: &str, mut tell: impl FnMut(&str, &[String])) {
        let (mut folders, mut at, mut seen) = (vec![folder.to_owned()], 0, 0);
        while let Some(folder) = folders.get(at).cloned()
            && at < MOST_WALKED
            && seen < MOST_SEEN
            && self.files.clock.now() < self.until
        {
            at += 1;
            let listed = self.full(&folder).and_then(|full| fs::read_dir(full).ok());
            let (mut below, mut names) = (Vec::new(), Vec::new());
            for entry in listed.into_iter().flatten().flatten().take(MOST_ENTRIES) {
                seen += 1;
                let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string())
                else {
                    continue;
                };
                if kind.is_dir() && !name.starts_with('.') && !has(but, &name) {
                    below.push(join(&folder, &name));
                } else if kind.is_file() {
                    names.push(name);
                }
            }
            tell(&folder, &names);
            below.sort();
            folders.extend(below);
        }
    }

    pub(super) fn seen(&self, path: &str) -> Option<(PathBuf, Metadata)> {
        let full = self.full(path)?;
        let seen = fs::metadata(&full).ok()?;
        Some((full, seen))
    }

    /// A path below the root; `None` for one that leads out of it, as an anchor may say.
    fn full(&self, path: &str) -> Option<PathBuf> {
        let mut parts = Path::new(path).components();
        let is_below = parts.all(|part| matches!(part, Component::Normal(_)));
        is_below.then(|| self.root.join(path))
    }

    /// Where a file really lies, if that is below the root.
    fn inside(&self, full: &Path) -> Option<PathBuf> {
        let root = fs::canonicalize(self.root).ok()?;
        let real = fs::canonicalize(full).ok()?;
        real.starts_with(root).then_some(real)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

    use nudge::SystemClock;

    use super::*;

    static READS: AtomicUsize = AtomicUsize::new(0);

    /// Counts how often it is asked.
    fn counted(text: &str) -> Manifest {
        READS.fetch_add(1, Ordering::SeqCst);
        let mut manifest = Manifest::default();
        manifest.declare(text, "");
        manifest
    }

    /// A clock that moves only when it is asked.
    struct Steps(DateTime<Utc>, AtomicI64, TimeDelta);

    impl Clock for Steps {
        fn now(&self) -> DateTime<Utc> {
            let asked = self.1.fetch_add(1, Ordering::SeqCst);
            self.0 + self.2 * i32::try_from(asked).unwrap()
        }
    }

    /// Files that are read at a time ahead of the system's, each a step after the other.
    fn ahead(by: TimeDelta, step: TimeDelta) -> Files {
        let start = SystemClock.now() + by;
        Files::new(Box::new(Steps(start, AtomicI64::new(0), step)), None)
    }

    #[test]
    fn a_file_that_changed_just_now_is_read_each_time_and_an_older_one_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "one").unwrap();
        let root = folder.path().to_str().unwrap();
        for (by, expected) in [(TimeDelta::zero(), 3), (TimeDelta::seconds(10), 1)] {
            let files = ahead(by, TimeDelta::zero());
            let before = READS.load(Ordering::SeqCst);
            for _ in 0..3 {
                assert!(files.look(root).manifest("a", counted).is_some());
            }
            assert_eq!(READS.load(Ordering::SeqCst) - before, expected);
            if expected == 1 {
                // The same length, in the same step of the clock or not: it is seen.
                fs::write(folder.path().join("a"), "two").unwrap();
                let read = files.look(root).manifest("a", counted).unwrap();
                assert_eq!(read.names[0].name, "two");
            }
        }
    }

    #[test]
    fn no_more_than_so_many_files_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let files = ahead(TimeDelta::seconds(10), TimeDelta::milliseconds(1));
        let root = folder.path().to_str().unwrap();
        for number in 0..REMEMBERED + 9 {
            let name = number.to_string();
            fs::write(folder.path().join(&name), "x").unwrap();
            files.look(root).manifest(&name, |_| Manifest::default());
            assert!((1..=REMEMBERED).contains(&files.known.lock().len()));
        }
    }

    #[test]
    fn a_look_ends_when_it_has_read_enough_or_long_enough() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        let size = usize::try_from(LARGEST).unwrap();
        for name in ["a", "b", "c", "d", "e"] {
            fs::write(folder.path().join(name), "x".repeat(size)).unwrap();
        }
        fs::write(folder.path().join("long"), "x".repeat(size + 1)).unwrap();
        let still = ahead(TimeDelta::zero(), TimeDelta::zero());
        let look = still.look(root);
        assert!(look.text("long").is_none());
        let read = ["a", "b", "c", "d", "e"].map(|name| look.text(name).is_some());
        assert_eq!(read, [true, true, true, true, false]);
        let slow = ahead(TimeDelta::zero(), TimeDelta::milliseconds(15));
        let look = slow.look(root);
        assert_eq!(
            ["a", "b"].map(|name| look.text(name).is_some()),
            [true, false]
        );
    }
}
