//! The session folder: where the processes of a user find each other.
//!
//! It may lie in a folder that everybody can write to, so nothing in it is
//! believed: it must be a real folder of ours, and every file is opened without
//! following a link, without waiting, and looked at before it is read.

pub mod file;
mod keys;

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use nudge::{Error, ErrorKind};
use rustix::fs::{Access, OFlags, access};

use crate::identity::{Identity, PRODUCT};
use crate::platform;
use crate::random::nonce;

pub use keys::{Key, read_key};

/// The default folder, in the home: nobody else can take it away, and no cleaner of `/tmp`
/// does. It does not depend on the XDG variables: hosts filter those, and two paths would
/// be two PRIMARYs.
const IN_HOME: &str = ".local/state/nudge-hints/session";

/// Where it lies for a home that cannot be written to.
const BASE: &str = "/tmp";

/// The most that is read of a file; ours have a few hundred bytes.
const MAX_FILE: u64 = 64 * 1024;

/// The longest path that the address of a Unix socket takes on every system.
const MAX_SOCKET_PATH: usize = 100;

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
            None => default_folder(std::env::home_dir(), Path::new(BASE)),
        }
    }

    /// A folder that is ours; one that is missing is made.
    fn made(folder: &Path, asked_for: bool) -> Result<Runtime, Error> {
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
        if seen.mode() & 0o777 == 0o700 {
            // As it should be.
        } else if !asked_for || (seen.mode() & 0o077 != 0 && is_empty()) {
            let private = fs::Permissions::from_mode(0o700);
            fs::set_permissions(folder, private).map_err(refused)?;
        } else if seen.mode() & 0o022 != 0 {
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

    /// Where a PRIMARY answers. A path that is too long for a socket has one below `/tmp`.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        let usual = self.folder.join("nudge.sock");
        if usual.as_os_str().len() <= MAX_SOCKET_PATH {
            return usual;
        }
        let folder = self.folder.as_os_str().as_bytes();
        // FNV-1a: every build must come to the same name.
        let hash = folder.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        in_base(Path::new(BASE)).join(format!("{hash:016x}.sock"))
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

    /// The process that holds the lock; `None` also where the kernel does not tell.
    #[must_use]
    pub fn lock_holder(&self) -> Option<u32> {
        platform::lock_holder(&self.lock_path())
    }

    fn lock_file(&self) -> Result<File, Error> {
        let flags = OFlags::RDWR | OFlags::CREATE;
        file::open(&self.lock_path(), flags).map_err(|error| self.no_lock(&error))
    }

    fn lock_path(&self) -> PathBuf {
        self.folder.join("lock")
    }

    /// Whether the file still has its name: whoever wipes the folder makes room
    /// for another lock, and two would be two PRIMARYs.
    fn is_the_lock(&self, file: &File) -> bool {
        let named = fs::symlink_metadata(self.lock_path());
        match (file.metadata(), named) {
            (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }

    fn no_lock(&self, error: &io::Error) -> Error {
        let path = self.lock_path();
        unavailable(format!(
            "`{}` cannot be locked ({error}); remove it when no server runs",
            path.display()
        ))
    }

    /// Listens where a PRIMARY answers, in the place of whatever was there.
    pub fn bind(&self, _: &Lock) -> io::Result<UnixListener> {
        let socket = self.socket();
        let folder = socket.parent().unwrap_or(&self.folder);
        if folder != self.folder {
            let made = Runtime::made(folder, false);
            made.map_err(|error| io::Error::other(error.to_string()))?;
        }
        let made = folder.join(format!("s{}", nonce().get(..8).unwrap_or_default()));
        let listener = UnixListener::bind(&made)?;
        // A name that cannot be taken is not left behind under another.
        let taken = fs::set_permissions(&made, fs::Permissions::from_mode(0o600))
            .and_then(|()| file::take_name(&made, &socket));
        if taken.is_err() {
            let _ = fs::remove_file(&made);
        }
        taken.map(|()| listener)
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
        if let Some(copy) = self.published(Path::new(BASE)) {
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
        let _ = fs::remove_file(self.socket());
    }

    /// Removes the names of a PRIMARY that ends with its session.
    pub fn forget(&self, lock: &Lock) {
        self.unbind(lock);
        let [token, key] = [Key::Token, Key::Client].map(|key| key.within(&self.folder));
        let known = [self.pid_file(), token, key, self.page_file()];
        for path in known.into_iter().chain(self.published(Path::new(BASE))) {
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

/// The default folder of a user: in the home, or below a base where nothing can be made in
/// the home.
#[must_use]
pub fn default_folder(home: Option<PathBuf>, base: &Path) -> PathBuf {
    let can_be_made = |folder: &PathBuf| {
        let mut above = folder.ancestors();
        let there = above.find(|folder| fs::symlink_metadata(folder).is_ok());
        there.is_some_and(|there| there.is_dir() && access(there, Access::WRITE_OK).is_ok())
    };
    let home = home.filter(|home| home.is_absolute());
    let folder = home.map(|home| home.join(IN_HOME)).filter(can_be_made);
    folder.unwrap_or_else(|| in_base(base))
}

/// This user's folder below a base that everybody can write to.
fn in_base(base: &Path) -> PathBuf {
    let uid = rustix::process::geteuid().as_raw();
    base.join(format!("nudge-{uid}"))
}

fn is_our_folder(seen: &fs::Metadata) -> bool {
    seen.is_dir() && seen.uid() == rustix::process::geteuid().as_raw()
}

/// Whether only this user can put something into a folder.
pub(crate) fn is_private(seen: &fs::Metadata) -> bool {
    is_our_folder(seen) && seen.mode() & 0o022 == 0
}

fn make(folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_ok() {
        return Ok(());
    }
    let made = DirBuilder::new().mode(0o700).recursive(true).create(folder);
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
