//! The session folder: where the processes of a user find each other.
//!
//! It may lie in a folder that everybody can write to, so nothing in it is
//! believed: it must be a real folder of ours, and every file is opened without
//! following a link, without waiting, and looked at before it is read.

pub mod file;
mod keys;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use nudge::{Error, ErrorKind};

use crate::identity::{Identity, PRODUCT};
use crate::platform::{self, LocalListener, PUBLISHED, folders, mode, owner, set_mode, user};

pub use keys::{Key, read_key};

/// The most that is read of a file; ours have a few hundred bytes.
const MAX_FILE: u64 = 64 * 1024;

/// The folder, once it is known to be ours.
#[derive(Debug, Clone)]
pub struct Runtime {
    folder: PathBuf,
    /// Whether nobody asked for another one.
    is_default: bool,
}

/// The right to be PRIMARY: a lock of the operating system, held until this is
/// dropped or the process ends in whatever way.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Runtime {
    /// The folder that was asked for, or the default one; it is made when missing.
    ///
    /// A folder that was asked for and is not ours is refused, never replaced by another.
    pub fn open(asked_for: Option<&Path>) -> Result<Runtime, Error> {
        Runtime::made(&Runtime::place(asked_for), asked_for.is_some())
    }

    /// The folder that was asked for, or the default one.
    #[must_use]
    pub fn place(asked_for: Option<&Path>) -> PathBuf {
        match asked_for {
            Some(folder) => exactly(folder),
            None => platform::session_folder(),
        }
    }

    /// A folder that is ours; one that is missing is made.
    pub(crate) fn made(folder: &Path, asked_for: bool) -> Result<Runtime, Error> {
        make(folder).map_err(|error| unusable(folder, &error.to_string()))?;
        Runtime::at(folder, asked_for)
    }

    /// The folder that [`Runtime::open`] would give, if it is there.
    pub fn find(asked_for: Option<&Path>) -> Result<Option<Runtime>, Error> {
        let folder = Runtime::place(asked_for);
        if fs::symlink_metadata(&folder).is_err() {
            return Ok(None);
        }
        Runtime::at(&folder, asked_for.is_some()).map(Some)
    }

    /// The folder at a path, unless it is a link, no folder, or somebody else's.
    fn at(folder: &Path, asked_for: bool) -> Result<Runtime, Error> {
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
        Ok(Runtime {
            folder: folder.to_owned(),
            is_default: !asked_for,
        })
    }

    /// Makes the folder again, if it was taken away.
    pub fn restore(&self) -> Result<(), Error> {
        Runtime::made(&self.folder, true).map(drop)
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
            let file = self.lock_file()?;
            match file.try_lock() {
                Ok(()) if self.is_the_lock(&file) => return Ok(Some(Lock { file })),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(self.no_lock(&error)),
            }
        }
    }

    /// Whether a lock is the one of this folder still.
    #[must_use]
    pub fn is_locked_by(&self, lock: &Lock) -> bool {
        self.is_the_lock(&lock.file)
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

    fn lock_file(&self) -> Result<File, Error> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        file::open(&self.lock_path(), &mut options).map_err(|error| self.no_lock(&error))
    }

    fn lock_path(&self) -> PathBuf {
        self.folder.join("lock")
    }

    /// Whether the file still has its name: whoever wipes the folder makes room
    /// for another lock, and two would be two PRIMARYs.
    fn is_the_lock(&self, file: &File) -> bool {
        platform::has_name(file, &self.lock_path())
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

    /// Whether there is anything in the place of the PID file.
    #[must_use]
    pub fn has_identity(&self) -> bool {
        fs::symlink_metadata(self.pid_file()).is_ok()
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

/// A folder as it was asked for. With a slash at its end the name of a link would
/// mean what it leads to.
fn exactly(folder: &Path) -> PathBuf {
    folder.components().collect()
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
            let folder = base.path().join("session");
            Runtime { folder, is_default }.published(base.path())
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
