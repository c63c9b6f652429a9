//! The session folder: where the processes of a user find each other.
//!
//! It may lie in a folder that everybody can write to, so nothing in it is
//! believed: it must be a real folder of ours, and every file is opened without
//! following a link, without waiting, and looked at before it is read.

pub mod file;
mod keys;
mod place;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use nudge::{Error, ErrorKind};

use crate::identity::{Identity, PRODUCT};
use crate::platform::{self, LocalListener, PUBLISHED, folders, mode, owner, set_mode, user};

pub use keys::{Key, read_key};
pub use place::{STORE, stand_in, worktree};

/// The most that is read of a file; ours have a few hundred bytes.
const MAX_FILE: u64 = 64 * 1024;

/// The folder, once it is known to be ours.
#[derive(Debug, Clone)]
pub struct Runtime {
    folder: PathBuf,
    /// Whether nobody asked for another one.
    is_default: bool,
    /// The folder in a home that cannot be written to, in whose place this is.
    stands_in_for: Option<PathBuf>,
}

/// The right to be PRIMARY: a lock of the operating system, held until this is
/// dropped or the process ends in whatever way.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// The turn to start a server, until this is dropped.
#[derive(Debug)]
pub struct StartTurn {
    _folder: Option<File>,
}

impl Runtime {
    /// The folder that was asked for, or the default one; it is made when missing.
    ///
    /// A folder that was asked for and is not ours is refused, never replaced by another.
    pub fn open(asked_for: Option<&Path>) -> Result<Runtime, Error> {
        let runtime = Runtime::allowed(asked_for)?;
        Runtime::make(&runtime.folder, asked_for.is_some())?;
        Ok(runtime)
    }

    /// Makes a folder that is missing, and checks it.
    pub(crate) fn make(folder: &Path, asked_for: bool) -> Result<(), Error> {
        make(folder).map_err(|error| unusable(folder, &error.to_string()))?;
        Runtime::check(folder, asked_for)
    }

    /// The folder that [`Runtime::open`] would give, if it is there.
    pub fn find(asked_for: Option<&Path>) -> Result<Option<Runtime>, Error> {
        let runtime = Runtime::allowed(asked_for)?;
        if fs::symlink_metadata(&runtime.folder).is_err() {
            return Ok(None);
        }
        Runtime::check(&runtime.folder, asked_for.is_some()).map(|()| Some(runtime))
    }

    /// Refuses a folder that is a link, no folder, or somebody else's.
    fn check(folder: &Path, asked_for: bool) -> Result<(), Error> {
        let refused = |error: io::Error| unusable(folder, &error.to_string());
        let seen = fs::symlink_metadata(folder).map_err(refused)?;
        if !is_our_folder(&seen) {
            return Err(unusable(folder, "it is a link, no folder, or not yours"));
        }
        // A folder that somebody made for us is empty. One that is in use may be
        // a home or the root of the machine, whose mode is not ours to change.
        let is_empty = || fs::read_dir(folder).is_ok_and(|mut found| found.next().is_none());
        if mode(&seen) == 0o700 {
            // As it should be.
        } else if !asked_for || (mode(&seen) & 0o077 != 0 && is_empty()) {
            set_mode(folder, 0o700).map_err(refused)?;
        } else if mode(&seen) & 0o022 != 0 {
            let mend = format!(
                "others may write to it; run `chmod 700 {}`",
                folder.display()
            );
            return Err(unusable(folder, &mend));
        }
        Ok(())
    }

    /// Makes the folder again, if it was taken away.
    pub fn restore(&self) -> Result<(), Error> {
        Runtime::make(&self.folder, true)
    }

    /// The folder itself.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A folder as it is. Whether it can be trusted is for the caller to know.
    #[must_use]
    pub fn as_it_is(folder: &Path) -> Runtime {
        Runtime {
            folder: folder.to_owned(),
            is_default: false,
            stands_in_for: None,
        }
    }

    /// Where a PRIMARY answers, or what says where it does.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        platform::socket(&self.folder)
    }

    /// Takes the lock, unless another process has it.
    pub fn try_lock(&self) -> Result<Option<Lock>, Error> {
        loop {
            let file = self.lock_file().map_err(|error| self.no_lock(&error))?;
            let lock = Lock { file };
            match lock.file.try_lock() {
                Ok(()) if self.is_locked_by(&lock) => return Ok(Some(lock)),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(self.no_lock(&error)),
            }
        }
    }

    /// Whether a lock is the one of this folder still: whoever wipes the folder makes room
    /// for another lock, and two would be two PRIMARYs.
    #[must_use]
    pub fn is_locked_by(&self, lock: &Lock) -> bool {
        platform::has_name(&lock.file, &self.lock_path())
    }

    /// Whether some process has the lock.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let file = file::open(&self.lock_path(), OpenOptions::new().read(true));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The process that holds the lock; `None` also where the kernel does not tell.
    #[must_use]
    pub fn lock_holder(&self) -> Option<u32> {
        platform::lock_holder(&self.lock_path())
    }

    /// The turn to start a server, unless another process has it: one that ended is missed by
    /// all of its clients at the same moment, and all but one would start one in vain.
    #[must_use]
    pub fn try_start(&self) -> Option<StartTurn> {
        // Where a folder cannot be locked everybody has the turn.
        let folder = file::open_folder(&self.folder).ok();
        let is_taken = |folder: &File| matches!(folder.try_lock(), Err(TryLockError::WouldBlock));
        (!folder.as_ref().is_some_and(is_taken)).then_some(StartTurn { _folder: folder })
    }

    fn lock_file(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        file::open(&self.lock_path(), &mut options)
    }

    fn lock_path(&self) -> PathBuf {
        self.folder.join("lock")
    }

    fn no_lock(&self, error: &io::Error) -> Error {
        let path = self.lock_path();
        unavailable(format!(
            "`{}` cannot be locked ({error}); remove it when no server runs",
            path.display()
        ))
    }

    /// Listens where a PRIMARY answers, in the place of whatever was there.
    pub fn bind(&self, _: &Lock) -> io::Result<LocalListener> {
        platform::bind(self)
    }

    /// Who the PID file says is PRIMARY. It is information and no proof; what is
    /// no file, too long, or of no known form says nothing.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        let json = file::read(&self.pid_file(), MAX_FILE).ok()?;
        let identity: Identity = serde_json::from_slice(&json).ok()?;
        (identity.product == PRODUCT).then_some(identity)
    }

    /// Writes the PID file, in the place of whatever was there.
    pub fn write_identity(&self, _: &Lock, identity: &Identity) -> io::Result<()> {
        let mut json = serde_json::to_vec(identity)?;
        json.push(b'\n');
        if let Some(copy) = PUBLISHED.and_then(|base| self.published(Path::new(base))) {
            // Nobody of ours reads it.
            let _ = file::replace(&copy, &json);
        }
        file::replace(&self.pid_file(), &json)
    }

    /// Where others look for the PID file of the default folder, if that is ours or nobody's.
    fn published(&self, base: &Path) -> Option<PathBuf> {
        if !self.is_default {
            return None;
        }
        let folder = base.join("nudge");
        make(&folder).ok()?;
        let is_ours = fs::symlink_metadata(&folder).is_ok_and(|seen| is_our_folder(&seen));
        is_ours.then(|| folder.join("server.pid"))
    }

    /// Removes the socket of a PRIMARY that ends.
    pub fn unbind(&self, _: &Lock) {
        platform::unbind(&self.socket());
    }

    /// Removes the names of a PRIMARY that ends with its session.
    pub fn forget(&self, lock: &Lock) {
        self.unbind(lock);
        let [token, key] = [Key::Token, Key::Client].map(|key| key.within(&self.folder));
        let known = [self.pid_file(), token, key, self.page_file()];
        let copy = PUBLISHED.and_then(|base| self.published(Path::new(base)));
        for path in known.into_iter().chain(copy) {
            // The next PRIMARY replaces what stays.
            let _ = fs::remove_file(path);
        }
    }

    fn pid_file(&self) -> PathBuf {
        self.folder.join("server.pid")
    }

    /// Writes the file that a browser is opened with, which leads it to the page, and
    /// says where it is.
    pub fn write_page(&self, html: &str) -> Result<PathBuf, Error> {
        let path = self.page_file();
        match file::replace(&path, html.as_bytes()) {
            Ok(()) => Ok(path),
            Err(error) => Err(unusable(&path, &error.to_string())),
        }
    }

    /// Removes that file, whose key was another PRIMARY's.
    pub fn forget_page(&self, _: &Lock) {
        let _ = fs::remove_file(self.page_file());
    }

    fn page_file(&self) -> PathBuf {
        self.folder.join("page.html")
    }
}

fn is_our_folder(seen: &fs::Metadata) -> bool {
    seen.is_dir() && owner(seen) == user()
}

fn make(folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_ok() {
        return Ok(());
    }
    let made = folders(0o700).recursive(true).create(folder);
    match made {
        // Somebody was quicker; who it was is seen by whoever looks at it.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn unusable(path: &Path, why: &str) -> Error {
    unavailable(format!(
        "`{}` cannot be used ({why}); set NUDGE_RUNTIME_DIR to a folder of your own",
        path.display()
    ))
}

fn unavailable(message: String) -> Error {
    Error::new(ErrorKind::Unavailable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_default_folder_is_published_and_only_where_that_is_ours() {
        let base = tempfile::tempdir().unwrap();
        let published = |is_default| {
            let mut runtime = Runtime::as_it_is(&base.path().join("session"));
            runtime.is_default = is_default;
            runtime.published(base.path())
        };
        assert_eq!(published(false), None);
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
        let folder = base.path().join("nudge");
        assert_eq!(published(true), Some(folder.join("server.pid")));
        fs::remove_dir(&folder).unwrap();
        std::os::unix::fs::symlink("/tmp", &folder).unwrap();
        assert_eq!(published(true), None);
    }
}
