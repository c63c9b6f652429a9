//! `Files`: the journal and the epoch as files of the runtime folder.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{Ordering, fence};
use std::time::SystemTime;

use rustix::fs::OFlags;

use super::protocol::{Fill, Medium};
use crate::platform::runtime::file;

/// What the journal is called.
const JOURNAL: &str = "journal";

/// How a journal that waits for that name is called; its writer's epoch follows.
const WAITING: &str = "journal.";

/// What the epoch is called.
const EPOCH: &str = "epoch";

/// What stands in for the epoch of a file that is not ours.
const ANOTHER: u64 = u64::MAX;

/// The files of one process.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    epoch: File,
    journal: Option<File>,
    waiting: Option<(PathBuf, File)>,
}

impl Files {
    /// Opens the epoch, which is made when missing.
    pub(super) fn open(folder: &Path) -> io::Result<Files> {
        let epoch = file::open(&folder.join(EPOCH), OFlags::RDWR | OFlags::CREATE)?;
        Ok(Files {
            folder: folder.to_owned(),
            epoch,
            journal: None,
            waiting: None,
        })
    }

    /// The journal that has the name, if there is one and it is a file of ours.
    pub(super) fn find(folder: &Path) -> io::Result<Option<File>> {
        match file::open(&folder.join(JOURNAL), OFlags::RDONLY) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// When the journal that has the name was last written.
    pub(super) fn modified(&self) -> io::Result<Option<SystemTime>> {
        let found = Files::find(&self.folder)?;
        found.map(|found| found.metadata()?.modified()).transpose()
    }

    /// Whether anything has the name of the journal.
    pub(super) fn is_there(folder: &Path) -> bool {
        fs::symlink_metadata(folder.join(JOURNAL)).is_ok()
    }

    /// Removes the journal, and what waits for its name.
    pub(super) fn delete(folder: &Path) -> io::Result<()> {
        remove_waiting(folder)?;
        match fs::remove_file(folder.join(JOURNAL)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether the open files still have their names.
    pub(super) fn are_in_place(&self) -> bool {
        let Some(journal) = &self.journal else {
            return false;
        };
        let has_name = |file, name| self.has_name(file, name).is_ok_and(|has| has == Some(true));
        has_name(journal, JOURNAL) && has_name(&self.epoch, EPOCH)
    }

    /// Whether a name leads to a file; `None` when it leads nowhere.
    fn has_name(&self, file: &File, name: &str) -> io::Result<Option<bool>> {
        let place = |seen: &Metadata| (seen.dev(), seen.ino());
        match fs::symlink_metadata(self.folder.join(name)) {
            Ok(named) => Ok(Some(place(&named) == place(&file.metadata()?))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes sure that whoever takes over raises the epoch that we look at: in a
    /// folder that was wiped, its name is put back.
    fn keep_epoch(&mut self, epoch: u64) -> io::Result<()> {
        match self.has_name(&self.epoch, EPOCH)? {
            Some(true) => Ok(()),
            Some(false) => Err(io::Error::other("the folder has another epoch by now")),
            None => {
                let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
                let file = file::open(&self.folder.join(EPOCH), flags)?;
                file.write_all_at(&epoch.to_le_bytes(), 0)?;
                self.epoch = file;
                Ok(())
            }
        }
    }
}

impl Files {
    fn read_epoch(&self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        match self.epoch.read_exact_at(&mut bytes, 0) {
            Ok(()) => Ok(u64::from_le_bytes(bytes)),
            // It was never raised.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            Err(error) => Err(error),
        }
    }
}

impl Medium for Files {
    fn epoch(&self) -> io::Result<u64> {
        // In a folder that was wiped while we were frozen, whoever took our place
        // has raised another file than the one that we have open.
        let is_nameless = rustix::fs::fstat(&self.epoch)?.st_nlink == 0;
        if is_nameless && self.has_name(&self.epoch, EPOCH)? == Some(false) {
            return Ok(ANOTHER);
        }
        self.read_epoch()
    }

    fn glance(&self) -> io::Result<u64> {
        self.read_epoch()
    }

    fn raise(&mut self) -> io::Result<u64> {
        let epoch = self.read_epoch()?.checked_add(1).unwrap_or(1);
        self.epoch.write_all_at(&epoch.to_le_bytes(), 0)?;
        // Neither this nor the append may be seen after the look that follows it.
        fence(Ordering::SeqCst);
        remove_waiting(&self.folder)?;
        Ok(epoch)
    }

    fn read_all(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(mut found) = Files::find(&self.folder)? {
            found.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(journal) = &mut self.journal else {
            return Err(io::Error::other("no journal is open"));
        };
        // One call of the system, so that a record is mostly whole or not there.
        // What is left of it when the disk is full is cut off by the caller.
        let written = loop {
            match journal.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written?,
            }
        };
        fence(Ordering::SeqCst);
        if written < bytes.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.journal
            .as_ref()
            .map_or(Ok(()), |journal| journal.set_len(length))
    }

    fn prepare(&mut self, epoch: u64, fill: &mut Fill<'_>) -> io::Result<()> {
        self.keep_epoch(epoch)?;
        let path = self.folder.join(format!("{WAITING}{epoch}"));
        // An attempt of this process that failed may have left one.
        let _ = fs::remove_file(&path);
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL;
        let mut to = BufWriter::with_capacity(64 * 1024, file::open(&path, flags)?);
        let filled = fill(&mut to).and_then(|()| to.into_inner().map_err(Into::into));
        match filled {
            Ok(written) => self.waiting = Some((path, written)),
            Err(error) => {
                let _ = fs::remove_file(&path);
                return Err(error);
            }
        }
        Ok(())
    }

    fn install(&mut self) -> io::Result<()> {
        let Some((path, file)) = self.waiting.take() else {
            return Err(io::Error::other("no journal was prepared"));
        };
        if let Err(error) = file::take_name(&path, &self.folder.join(JOURNAL)) {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        self.journal = Some(file);
        Ok(())
    }

    fn discard(&mut self) {
        if let Some((path, _)) = self.waiting.take() {
            // Whoever took over may have done it already.
            let _ = fs::remove_file(path);
        }
    }
}

/// Takes away every journal that waits for its name.
fn remove_waiting(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let epoch = name.to_str().and_then(|name| name.strip_prefix(WAITING));
        if epoch.is_some_and(|epoch| epoch.parse::<u64>().is_ok()) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}
