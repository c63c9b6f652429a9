//! `Files`: the journal as a file of the session folder, and what damage left beside it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use nudge::{Clock, SystemClock};

use nudge_client::folder::file;
use nudge_client::platform::{OPEN_FILES_KEEP_NAMES, cut, has_name};

/// What the journal is called. Version 0.1 had a `journal` of another kind.
pub(super) const JOURNAL: &str = "session.journal";

/// What damage left of it.
pub(super) const DAMAGED: &str = "session.journal.damaged";

/// A journal that is being written, and gets the name when it is whole.
pub(super) const WAITING: &str = "session.journal.new";

/// The journal of a folder, as its one writer has it.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) folder: PathBuf,
    pub(super) journal: Option<File>,
}

impl Files {
    pub(super) fn of(folder: &Path) -> Files {
        Files {
            folder: folder.to_owned(),
            journal: None,
        }
    }

    /// Puts bytes at the end of the journal, by one call of the system, so that they are
    /// mostly all there or not at all. What is left of them when the disk is full is cut
    /// off by the caller.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(journal) = &mut self.journal else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let written = loop {
            match journal.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written?,
            }
        };
        if written < bytes.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    /// Takes away what is after the first `length` bytes. What cannot be cut off is a
    /// torn tail for whoever reads it.
    pub(super) fn cut(&self, length: u64) {
        let path = self.folder.join(JOURNAL);
        let journal = self.journal.as_ref();
        let _ = journal.map(|journal| cut(journal, &path, length));
    }

    /// Puts a journal of other bytes in the place of the one that has the name.
    pub(super) fn replace(
        &mut self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        // What is not a file of ours is left alone.
        find(&self.folder.join(JOURNAL))?;
        let path = self.folder.join(WAITING);
        // A process that died may have left one.
        remove(&path)?;
        let journal = file::open(&path, OpenOptions::new().append(true).create_new(true))?;
        let mut to = BufWriter::with_capacity(64 * 1024, journal);
        let written = fill(&mut to).and_then(|()| {
            let journal = to.into_inner()?;
            if OPEN_FILES_KEEP_NAMES {
                self.journal = None;
            }
            file::take_name(&path, &self.folder.join(JOURNAL))?;
            Ok(journal)
        });
        if written.is_err() {
            let _ = fs::remove_file(&path);
            if OPEN_FILES_KEEP_NAMES {
                let old = self.folder.join(JOURNAL);
                self.journal = file::open(&old, OpenOptions::new().append(true)).ok();
            }
        }
        self.journal = Some(written?);
        Ok(())
    }

    /// Whether the open journal still has the name.
    pub(super) fn is_in_place(&self) -> bool {
        let journal = self.journal.as_ref();
        journal.is_some_and(|journal| has_name(journal, &self.folder.join(JOURNAL)))
    }

    /// Says by the time of the file that the session is used now.
    pub(super) fn touch(&self) {
        let now = SystemClock.now().into();
        let _ = self
            .journal
            .as_ref()
            .map(|journal| journal.set_modified(now));
    }
}

/// A file of ours, if there is one.
pub(super) fn find(path: &Path) -> io::Result<Option<File>> {
    match file::open(path, OpenOptions::new().read(true)) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// All bytes of a file of ours, if there is one.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let Some(mut found) = find(path)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    found.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Leaves beside the journal what damage has made of it.
pub(super) fn put_beside(folder: &Path, damaged: &[&[u8]]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut beside = file::open(&folder.join(DAMAGED), options.append(true).create(true))?;
    damaged.iter().try_for_each(|bytes| beside.write_all(bytes))
}

/// Removes a file, if there is one.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
