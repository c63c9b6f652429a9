//! A disk without room: the session goes on in memory.

use std::fs::File;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use nudge::SetHint;
use tempfile::TempDir;

use super::super::Journal;
use super::super::files::Files;
use super::stage::{Session, begin, bytes, recover, start};

fn set(session: &Session, key: &str) {
    let hint = SetHint::new("api", key, "make");
    session.nudge.set_hint(hint).unwrap();
}

/// Does something to the files of a session.
fn with_files(session: &Session, change: impl FnOnce(&mut Files)) {
    change(&mut session.journal.writer.as_ref().unwrap().lock().files);
}

/// Has the journal go to a disk that is full.
fn fill(session: &Session) {
    let full = File::options().write(true).open("/dev/full").unwrap();
    with_files(session, |files| files.journal = Some(full));
}

/// Has no room for another journal, or has it again.
fn leave_room(session: &Session, folder: &TempDir, room: bool) {
    let missing = folder.path().join("missing");
    let path = if room { folder.path() } else { &missing };
    with_files(session, |files| files.folder = path.to_owned());
}

fn hints(folder: &TempDir) -> usize {
    recover(folder).nudge.stats().hints
}

#[test]
fn a_full_disk_turns_the_journal_off_until_a_compaction_finds_room() {
    let (folder, session) = begin();
    set(&session, "first");
    assert!(session.journal.is_complete() && session.journal.warning().is_none());
    let whole = bytes(&folder);
    fill(&session);
    assert!(session.journal.append_head(true.into()).is_err());
    assert!(session.journal.is_complete());
    set(&session, "second");
    assert!(!session.journal.is_complete() && session.journal.is_in_place());
    assert_eq!(
        session.journal.warning().unwrap(),
        "the journal cannot be written (No space left on device (os error 28)); \
         the session goes on in memory, and what is set from now on ends with this process"
    );
    // It is tried now and then.
    leave_room(&session, &folder, false);
    let due = || session.journal.compaction_due().unwrap();
    let first = due();
    assert!(first > Instant::now() && first < Instant::now() + Duration::from_mins(1));
    session.compact();
    assert!(due() > first && !session.journal.is_complete());
    assert_eq!(bytes(&folder), whole);
    leave_room(&session, &folder, true);
    session.compact();
    assert!(session.journal.is_complete() && session.journal.warning().is_none());
    assert_eq!(session.journal.compaction_due(), None);
    set(&session, "third");
    assert_eq!(hints(&folder), 3);
}

#[test]
fn what_a_full_disk_took_of_a_record_is_cut_off() {
    let (folder, session) = begin();
    let whole = bytes(&folder);
    let mut writer = session.journal.writer.as_ref().unwrap().lock();
    writer.files.append(b"\x1ehalf a rec").unwrap();
    writer.turn_off(&ErrorKind::StorageFull.into());
    assert_eq!(bytes(&folder), whole);
}

#[test]
fn a_compaction_that_finds_no_room_leaves_the_journal_as_it_is() {
    let (folder, session) = begin();
    set(&session, "first");
    leave_room(&session, &folder, false);
    session.compact();
    assert!(session.journal.is_complete());
    leave_room(&session, &folder, true);
    set(&session, "second");
    assert_eq!(hints(&folder), 2);
}

#[test]
fn a_folder_that_cannot_be_written_leaves_the_session_in_memory() {
    let (folder, _) = begin();
    let missing = folder.path().join("missing");
    for journal in [
        Journal::begin(&missing, "s-1", start(), true.into()),
        Journal::in_memory(),
    ] {
        let is_off = journal.warning().is_some();
        let session = Session::with(journal);
        let set = || SetHint::new("api", "build", "make");
        let first = session.ask("r-1", set()).unwrap();
        assert_eq!(session.ask("r-1", set()).unwrap(), first);
        session.journal.touch();
        assert!(session.journal.is_in_place() && !session.journal.is_complete());
        assert_eq!(session.journal.compaction_due().is_some(), is_off);
    }
}
