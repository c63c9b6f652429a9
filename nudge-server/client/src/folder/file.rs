//! Files that may have been put there by anybody, and how to touch them safely.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::platform::{OPEN_FILES_KEEP_NAMES, links, owner, safely, user, with_mode};
use crate::random::nonce;

/// How long those who read a file may keep another from its name.
const READ_WITHIN: Duration = Duration::from_secs(1);

/// How long one waits before one tries again.
const PAUSE: Duration = Duration::from_millis(1);

/// Opens a regular file of ours, 0600 when it is made. A link is not followed, a
/// FIFO is not waited for, and a program that we start does not inherit it.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[expect(clippy::disallowed_methods, reason = "this is the reader of our files")]
    let file = safely(with_mode(options, 0o600)).open(path)?;
    is_ours(&file.metadata()?).map(|()| file)
}

/// Opens a folder of ours, which is no more than locked.
pub(super) fn open_folder(path: &Path) -> io::Result<File> {
    #[expect(clippy::disallowed_methods, reason = "this is the reader of our files")]
    safely(OpenOptions::new().read(true)).open(path)
}

/// Whether there is a file, before others open it by its name: an error unless it is a regular
/// file of ours with no other name. It is not opened: to close it would end the locks on it.
pub fn check(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(seen) if seen.is_symlink() => Err(io::Error::other("it is a link, and not followed")),
        Ok(seen) if seen.is_file() && links(&seen) > 1 => {
            Err(io::Error::other("it has another name, a hard link"))
        }
        Ok(seen) => is_ours(&seen).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn is_regular(seen: &fs::Metadata) -> io::Result<()> {
    if seen.is_file() {
        return Ok(());
    }
    Err(io::Error::other("it is not a regular file"))
}

fn is_ours(seen: &fs::Metadata) -> io::Result<()> {
    is_regular(seen)?;
    if owner(seen) != user() {
        return Err(io::Error::other("it belongs to somebody else"));
    }
    Ok(())
}

/// The bytes of a file of ours that is no longer than a limit.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to(limit, open(path, OpenOptions::new().read(true))?)
}

/// Opens a file that somebody else may have put there: a regular one, no link, and without
/// waiting. Its kind is asked first, because opening a device may do something.
pub fn open_foreign(path: &Path) -> io::Result<File> {
    is_regular(&fs::symlink_metadata(path)?)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the reader of others' files"
    )]
    let file = safely(OpenOptions::new().read(true)).open(path)?;
    is_regular(&file.metadata()?).map(|()| file)
}

/// Reads a file that somebody else may have put there, unless it is longer than a limit.
pub fn read_foreign(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to(limit, open_foreign(path)?)
}

/// The same, where the path may be a link.
pub fn read_linked(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_foreign(&path.canonicalize()?, limit)
}

/// The text of what the user named, which may be a pipe: `nudge import <(ssh host nudge export)`.
pub fn read_named(path: &Path, limit: u64) -> io::Result<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the user has named it, and waits for it"
    )]
    let bytes = read_to(limit, File::open(path)?)?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

/// The bytes that can be read, unless there are more than a limit.
fn read_to(limit: u64, file: File) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let room = usize::try_from(length.min(limit) + 1).unwrap_or_default();
    let mut bytes = Vec::with_capacity(room);
    // What is known to be too long is not read first.
    if length > limit || file.take(limit + 1).read_to_end(&mut bytes)? as u64 > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

/// Writes a file whole under another name and gives it its own at once, in the
/// place of whatever was there.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_when(path, bytes, 0o600, |_| Ok(()))
}

/// The same with a mode, and with something done to the new file before it has the name. If a
/// step fails, the old file is there, or the new one, and nothing beside.
pub fn replace_when(
    path: &Path,
    bytes: &[u8],
    mode: u32,
    is_ready: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = beside(path);
    let mut options = OpenOptions::new();
    #[expect(clippy::disallowed_methods, reason = "it is made here")]
    let file = with_mode(options.write(true).create_new(true), mode).open(&temporary);
    let mut file = file?;
    let done = file.write_all(bytes).and_then(|()| is_ready(&file));
    drop(file);
    let done = done.and_then(|()| take_name(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Renames a file. A folder in its way, which a rename does not replace, is moved
/// aside and not emptied: it is not ours to delete what somebody put there.
pub fn take_name(made: &Path, path: &Path) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match fs::rename(made, path) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                fs::rename(path, beside(path))?;
                return fs::rename(made, path);
            }
            // Somebody reads what is there.
            Err(_) if OPEN_FILES_KEEP_NAMES && start.elapsed() < READ_WITHIN => sleep(PAUSE),
            renamed => return renamed,
        }
    }
}

/// A name beside another that nobody has.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(nonce());
    PathBuf::from(name)
}
