//! `Medium`: the steps by which a file is read, and replaced by another.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use nudge_client::folder::file;
use nudge_client::platform::{is_link_error, set_file_mode, sync_folder};

use super::place::is_ours_alone;

/// The steps, as a disk does them; a test has one of them fail.
pub(crate) trait Medium {
    /// The bytes of a file that is ours alone, and no longer than a limit.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let found = file::open(path, OpenOptions::new().read(true)).map_err(|error| {
            if is_link_error(&error) {
                io::Error::other("it is a link")
            } else {
                error
            }
        })?;
        is_ours_alone(&found.metadata()?).map_err(io::Error::other)?;
        read_to(limit, found)
    }

    /// Makes a file of mode 0600, where there is none.
    fn create(&self, path: &Path) -> io::Result<File> {
        file::open(path, OpenOptions::new().write(true).create_new(true))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Has the names in a folder survive a power cut, on a disk that knows how to.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        sync_folder(folder).or_else(|error| unless(ErrorKind::InvalidInput, error))
    }

    /// Removes a file, if there is one.
    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path).or_else(|error| unless(ErrorKind::NotFound, error))
    }
}

/// The disk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl Medium for Disk {}

/// Puts a file in the place of another, by way of a name that nobody else uses. If a step
/// fails, the old file is there, or the new one, and nothing beside.
pub(crate) fn replace(
    medium: &impl Medium,
    (temporary, path): (&Path, &Path),
    bytes: &[u8],
    mode: u32,
) -> io::Result<()> {
    let mut file = medium.create(temporary)?;
    let written = medium
        .write(&mut file, bytes)
        .and_then(|()| set_file_mode(&file, mode))
        .and_then(|()| medium.sync(&file))
        .and_then(|()| medium.rename(temporary, path));
    if written.is_err() {
        let _ = medium.remove(temporary);
    }
    written?;
    medium.sync_folder(path.parent().unwrap_or(path))
}

/// The bytes of an open file, unless there are more than a limit.
pub(super) fn read_to(limit: u64, file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

fn unless(kind: ErrorKind, error: io::Error) -> io::Result<()> {
    if error.kind() == kind {
        Ok(())
    } else {
        Err(error)
    }
}
