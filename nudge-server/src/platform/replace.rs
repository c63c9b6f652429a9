//! Putting a file in the place of another, so that there is always one of them.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use nudge_client::folder::file;
use nudge_client::platform::{set_file_mode, sync_folder};
use nudge_client::random::nonce;

/// Puts a file in the place of another, by way of a name that nobody else uses. If a step
/// fails, the old file is there, or the new one, and nothing beside.
pub(crate) fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let temporary = path.with_added_extension(nonce());
    let mut new = file::open(&temporary, OpenOptions::new().write(true).create_new(true))?;
    let written = new
        .write_all(bytes)
        .and_then(|()| set_file_mode(&new, mode))
        .and_then(|()| new.sync_all())
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    // So that the name survives a power cut, on a disk that knows how to.
    match sync_folder(path.parent().unwrap_or(path)) {
        Err(error) if error.kind() != ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}
