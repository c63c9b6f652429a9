//! Journals of sessions that have ended, put aside for `nudge restore`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Clock, SystemClock};

use super::files::{DAMAGED, JOURNAL, WAITING, find, remove};
use super::{Journal, Recovered, Refusal, replay};

/// How a name ends that was told to the user.
const TOLD: &str = "-told";

/// Why a journal was put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aside {
    /// The user stopped the session.
    Stopped,
    /// Nobody used the session for too long.
    Lingered,
    /// No server could start with it.
    Failed,
}

impl Aside {
    const ALL: [Aside; 3] = [Aside::Stopped, Aside::Lingered, Aside::Failed];

    fn word(self) -> &'static str {
        match self {
            Aside::Stopped => "stop",
            Aside::Lingered => "linger",
            Aside::Failed => "failed",
        }
    }

    /// How long it is kept: who stops a session by mistake knows it soon.
    fn kept(self) -> TimeDelta {
        match self {
            Aside::Stopped => TimeDelta::minutes(10),
            Aside::Lingered | Aside::Failed => TimeDelta::weeks(1),
        }
    }
}

/// A journal that was put aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Where it is.
    pub path: PathBuf,
    /// Why.
    pub kind: Aside,
    /// Since when.
    pub moved_at: DateTime<Utc>,
    /// Whether the user was told.
    pub told: bool,
}

impl Ended {
    /// Reads a name: `ended-stop-1762250400000.journal`.
    fn read(path: PathBuf) -> Option<Ended> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_prefix("ended-")?.strip_suffix(".journal")?;
        let (name, told) = match name.strip_suffix(TOLD) {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (word, millis) = name.split_once('-')?;
        let kind = Aside::ALL.into_iter().find(|kind| kind.word() == word)?;
        let moved_at = DateTime::from_timestamp_millis(millis.parse().ok()?)?;
        Some(Ended {
            path,
            kind,
            moved_at,
            told,
        })
    }

    fn path(folder: &Path, kind: Aside, moved_at: i64, told: &str) -> PathBuf {
        folder.join(format!("ended-{}-{moved_at}{told}.journal", kind.word()))
    }

    /// Notes, in the name, that the user was told.
    pub fn tell(&mut self) -> io::Result<()> {
        if let Some(folder) = self.path.parent().filter(|_| !self.told) {
            let path = Ended::path(folder, self.kind, self.moved_at.timestamp_millis(), TOLD);
            fs::rename(&self.path, &path)?;
            (self.path, self.told) = (path, true);
        }
        Ok(())
    }
}

/// Sessions that are over, or might be. Only who holds the lock may change anything.
impl Journal {
    /// When the session of a folder was last used; `None` where there is none.
    pub fn last_active(folder: &Path) -> io::Result<Option<SystemTime>> {
        let found = find(&folder.join(JOURNAL))?;
        found.map(|found| found.metadata()?.modified()).transpose()
    }

    /// Ends the session of a folder, and says where its journal is from now on.
    pub fn put_aside(folder: &Path, kind: Aside) -> io::Result<Option<PathBuf>> {
        let mut moved_at = SystemClock.now().timestamp_millis();
        let mut path = Ended::path(folder, kind, moved_at, "");
        while fs::symlink_metadata(&path).is_ok() {
            moved_at += 1;
            path = Ended::path(folder, kind, moved_at, "");
        }
        match fs::rename(folder.join(JOURNAL), &path) {
            Ok(()) => Ok(Some(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The journals that were put aside, the newest first.
    #[must_use]
    pub fn ended(folder: &Path) -> Vec<Ended> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut ended: Vec<Ended> = entries
            .filter_map(|entry| Ended::read(entry.path()))
            .collect();
        ended.sort_by_key(|ended| std::cmp::Reverse(ended.moved_at));
        ended
    }

    /// Deletes those that were put aside long enough ago.
    pub fn forget_old(folder: &Path, now: DateTime<Utc>) -> io::Result<()> {
        let mut ended = Journal::ended(folder).into_iter();
        let is_old = |ended: &Ended| now.signed_duration_since(ended.moved_at) >= ended.kind.kept();
        ended.try_for_each(|ended| {
            if is_old(&ended) {
                remove(&ended.path)
            } else {
                Ok(())
            }
        })
    }

    /// Reads one of them, and leaves it as it is.
    pub fn read_ended(path: &Path, now: DateTime<Utc>) -> Result<Recovered, Refusal> {
        let bytes = super::files::read(path)?;
        let bytes = bytes.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let read = replay::read(&bytes, now, &replay::apply)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(read.recovered(read.notices(&name)))
    }

    /// Deletes what the session of a folder has left there.
    pub fn delete(folder: &Path) -> io::Result<()> {
        let mut names = [JOURNAL, WAITING, DAMAGED].into_iter();
        names.try_for_each(|name| remove(&folder.join(name)))
    }

    /// Deletes what any session has left there.
    pub fn delete_all(folder: &Path) -> io::Result<()> {
        Journal::delete(folder)?;
        let mut ended = Journal::ended(folder).into_iter();
        ended.try_for_each(|ended| remove(&ended.path))
    }
}
