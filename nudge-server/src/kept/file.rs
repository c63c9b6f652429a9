//! `KeptFile`: a file of kept hints, which several processes read and write.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nudge_client::folder::{Lock, Runtime};

use super::medium::{Disk, Medium, replace};
use super::place::Place;
use super::refusal;

/// The most that is read or written.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// How long another process may be writing.
const PATIENCE: Duration = Duration::from_secs(2);

/// What damaged files are called after their own name; the last one gives way to the next.
const DAMAGED: [&str; 3] = ["damaged", "damaged.2", "damaged.3"];

/// A file of kept hints.
#[derive(Debug, Clone)]
pub(crate) struct KeptFile<M = Disk> {
    place: Place,
    name: String,
    medium: M,
    patience: Duration,
}

impl<M: Medium> KeptFile<M> {
    pub(super) fn new(place: Place, name: String, medium: M) -> KeptFile<M> {
        KeptFile {
            place,
            name,
            medium,
            patience: PATIENCE,
        }
    }

    /// Its bytes, if it is there. What is not a file of ours alone is refused.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, String> {
        let folder = self.place.folder(false)?;
        folder.map_or(Ok(None), |folder| self.bytes(&folder.join(&self.name)))
    }

    /// Has the file say what `change` makes of what it says now; `None` leaves it as it is.
    /// Meanwhile nobody writes a file of that folder, so `change` must not either. Says
    /// whether something was written.
    pub(crate) fn update<E: From<String>>(
        &self,
        change: impl FnOnce(Option<Vec<u8>>) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<bool, E> {
        let (path, _lock) = self.locked()?;
        let Some(bytes) = change(self.bytes(&path)?)? else {
            return Ok(false);
        };
        self.write(&path, &bytes)?;
        Ok(true)
    }

    /// Moves the file aside if it still has these bytes, which mean nothing, and says where
    /// it is. Somebody else may have done so, and put a good one there.
    pub(crate) fn put_aside(&self, damaged: &[u8]) -> Result<Option<PathBuf>, String> {
        let (path, _lock) = self.locked()?;
        if self.bytes(&path)?.as_deref() != Some(damaged) {
            return Ok(None);
        }
        let [first, second, last] = DAMAGED.map(|ending| path.with_added_extension(ending));
        let mut free = [first, second].into_iter().filter(|name| !name.exists());
        let aside = free.next().unwrap_or(last);
        let moved = self.medium.rename(&path, &aside);
        moved.map_err(|error| refusal(&path, "moved", error))?;
        Ok(Some(aside))
    }

    /// Removes what was moved aside: a value may be in it that is to be gone.
    pub(crate) fn remove_damaged(&self) -> Result<(), String> {
        let folder = self.place.folder(false)?.into_iter();
        let mut names = folder.flat_map(|folder| {
            DAMAGED.map(|ending| folder.join(&self.name).with_added_extension(ending))
        });
        names.try_for_each(|name| {
            let removed = self.medium.remove(&name);
            removed.map_err(|error| refusal(&name, "removed", error))
        })
    }

    fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>, String> {
        match self.medium.read(path, MAX_BYTES) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refusal(path, "read", error)),
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(refusal(path, "written", "it would be too long"));
        }
        let temporary = path.with_added_extension("new");
        // A process that was killed may have left one.
        let room = self.medium.remove(&temporary);
        room.and_then(|()| replace(&self.medium, (&temporary, path), bytes, 0o600))
            .map_err(|error| refusal(path, "written", error))
    }

    /// Where the file is, and the right to write it until this is dropped.
    fn locked(&self) -> Result<(PathBuf, Lock), String> {
        let folder = self.place.folder(true)?.unwrap_or_default();
        let path = folder.join(&self.name);
        let (runtime, start) = (Runtime::as_it_is(&folder), Instant::now());
        loop {
            let lock = runtime.try_lock().map_err(|error| error.to_string())?;
            match lock {
                Some(lock) => return Ok((path, lock)),
                None if start.elapsed() < self.patience => sleep(Duration::from_millis(5)),
                None => return Err(refusal(&path, "written", "another process is writing it")),
            }
        }
    }
}

#[cfg(test)]
mod tests;
