//! A disk without room: the session goes on in memory.

use std::io;
use std::sync::{Arc, Mutex};

use nudge::{Change, ErrorKind, Nudge, SetHint};

use super::super::Journal;
use super::super::files::Files;
use super::super::protocol::{Fill, Medium};
use super::super::record::{FORMAT, Header};
use super::super::writer::Writer;
use super::stage::{Session, bytes, folder, start};

/// Files with room for so many bytes of appends.
struct Disk {
    files: Files,
    room: usize,
    appends: usize,
}

impl Medium for Disk {
    fn epoch(&self) -> io::Result<u64> {
        self.files.epoch()
    }

    fn raise(&mut self) -> io::Result<u64> {
        self.files.raise()
    }

    fn read_all(&mut self) -> io::Result<Vec<u8>> {
        self.files.read_all()
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.appends += 1;
        let fits = bytes.len().min(self.room);
        self.room -= fits;
        self.files.append(&bytes[..fits])?;
        if fits < bytes.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.files.cut(length)
    }

    fn prepare(&mut self, epoch: u64, fill: &mut Fill<'_>) -> io::Result<()> {
        self.files.prepare(epoch, fill)
    }

    fn install(&mut self) -> io::Result<()> {
        self.files.install()
    }

    fn discard(&mut self) {
        self.files.discard();
    }
}

/// The changes of some sets.
fn changes(count: usize) -> Vec<Change> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    });
    for number in 0..count {
        let hint = SetHint::new("api", format!("key-{number}"), "make");
        nudge.set_hint(hint).unwrap();
    }
    seen.lock().unwrap().clone()
}

#[test]
fn a_full_disk_turns_the_journal_off_and_leaves_whole_records() {
    let folder = folder();
    let mut files = Files::open(folder.path()).unwrap();
    let header = Header {
        format: FORMAT,
        session_id: "s-1".into(),
        created_at: start(),
        epoch: files.raise().unwrap(),
    };
    // Enough for one record and a half.
    let disk = Disk {
        files,
        room: 500,
        appends: 0,
    };
    let mut writer = Writer::start(disk, header, &[], &[]);
    let begun = bytes(&folder).len();
    let changes = changes(4);
    let note = |writer: &mut Writer<Disk>, number: usize| {
        writer
            .note(&changes[number..=number], None)
            .map(|_| bytes(&folder).len())
    };
    let whole = note(&mut writer, 0).unwrap();
    assert!(whole > begun && whole - begun < 500);
    assert_eq!(note(&mut writer, 1), Ok(whole), "half a record was left");
    // It stays off, although there would be room again.
    writer.medium.room = 10_000;
    assert_eq!(note(&mut writer, 2), Ok(whole));
    assert_eq!(writer.medium.appends, 2);
    assert!(!writer.wants_compaction());

    // One that is off is succeeded like any other.
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(next.nudge.stats().hints, 1);
    let refused = note(&mut writer, 3).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
}

#[test]
fn a_folder_that_cannot_be_written_leaves_the_session_in_memory() {
    let folder = folder();
    let missing = folder.path().join("missing");
    for journal in [
        Journal::begin(&missing, "s-1", start()),
        Journal::in_memory(),
    ] {
        let session = Session::with(journal);
        let set = || SetHint::new("api", "build", "make");
        let first = session
            .call("r-1", |nudge, by| nudge.ask(by, set()))
            .unwrap();
        let again = session
            .call("r-1", |nudge, by| nudge.ask(by, set()))
            .unwrap();
        assert_eq!(first.get(), again.get());
        session.journal.keep_until(start()).unwrap();
        assert!(session.journal.is_in_place() && !session.journal.wants_compaction());
    }
}
