//! The files themselves: whose they are, who may write, how they grow.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use nudge::{DeleteHint, ErrorKind, GetHint, SetHint};
use rustix::fs::{CWD, FileType, Mode};

use super::super::files::Files;
use super::super::protocol::Medium;
use super::super::record::{FORMAT, Header, write};
use super::super::{Journal, Refusal};
use super::stage::{Session, bytes, folder, path, start};

fn set(key: &str) -> SetHint {
    SetHint::new("api", key, "make")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

fn take_over(folder: &Path) -> Result<bool, Refusal> {
    Journal::take_over(folder, start(), true).map(|taken| taken.is_some())
}

#[test]
fn only_this_user_may_read_the_files() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    assert_eq!(names(folder.path()), ["epoch", "journal"]);
    for name in names(folder.path()) {
        let seen = fs::metadata(folder.path().join(&name)).unwrap();
        assert_eq!(seen.permissions().mode() & 0o777, 0o600, "{name}");
    }
    Journal::delete(folder.path()).unwrap();
    assert!(!Journal::is_there(folder.path()));
    Journal::delete(folder.path()).unwrap();
    assert!(!take_over(folder.path()).unwrap());
}

#[test]
fn a_link_or_a_fifo_in_the_place_of_the_journal_is_refused_and_left_alone() {
    let folder = folder();
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    symlink(&elsewhere, path(&folder)).unwrap();
    let refused = take_over(folder.path()).unwrap_err();
    assert!(matches!(refused, Refusal::Unusable(_)), "{refused}");
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
    assert!(fs::symlink_metadata(path(&folder)).unwrap().is_symlink());

    fs::remove_file(path(&folder)).unwrap();
    rustix::fs::mknodat(CWD, path(&folder), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let refused = take_over(folder.path()).unwrap_err();
    assert!(matches!(refused, Refusal::Unusable(_)), "{refused}");
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    let kind = fs::symlink_metadata(path(&folder)).unwrap().file_type();
    assert!(!kind.is_file());
}

#[test]
fn a_format_of_another_version_is_refused_and_left_alone() {
    let folder = folder();
    let header = Header {
        format: FORMAT + 1,
        session_id: "s-1".into(),
        created_at: start(),
        epoch: 1,
    };
    let mut newer = Vec::new();
    write(&header, &mut newer).unwrap();
    fs::write(path(&folder), &newer).unwrap();
    let refused = take_over(folder.path()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the journal has the format `3`, not 2; start the version of nudge that wrote it, or remove it"
    );
    assert_eq!(bytes(&folder), newer);
}

#[test]
fn a_server_that_was_succeeded_accepts_nothing_any_more() {
    let folder = folder();
    let old = Session::begin(folder.path());
    old.nudge.set_hint(set("build")).unwrap();
    let new = Session::take_over(folder.path()).unwrap();
    let before = bytes(&folder);
    for _ in 0..2 {
        let refused = old.nudge.set_hint(set("test")).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unavailable);
        assert_eq!(
            refused.to_string(),
            "another server has taken over this session; repeat the call to reach it"
        );
    }
    // Not even when the epoch looks like its own again.
    let epoch = folder.path().join("epoch");
    let raised = fs::read(&epoch).unwrap();
    fs::write(&epoch, 1_u64.to_le_bytes()).unwrap();
    assert!(old.nudge.set_hint(set("test")).is_err());
    fs::write(&epoch, raised).unwrap();
    assert!(old.nudge.get_hint(GetHint::new("api", "test")).is_err());
    old.nudge.standing(|changes| old.journal.compact(&changes));
    assert_eq!(bytes(&folder), before);
    assert_eq!(names(folder.path()), ["epoch", "journal"]);
    new.nudge.set_hint(set("test")).unwrap();
}

#[test]
fn what_a_succeeded_server_appended_does_not_count() {
    let folder = folder();
    let old = Session::begin(folder.path());
    let header = bytes(&folder).len();
    old.nudge.set_hint(set("old")).unwrap();
    let stray = bytes(&folder).split_off(header);

    let new = Session::take_over(folder.path()).unwrap();
    let delete = DeleteHint::new("api", "old");
    new.nudge.delete_hint(delete).unwrap();
    // As if both had had the same file open.
    let mut both = bytes(&folder);
    let end = both.len();
    both.extend(stray);
    new.nudge.set_hint(set("new")).unwrap();
    both.extend(bytes(&folder).split_off(end));
    fs::write(path(&folder), &both).unwrap();
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(next.export(), new.export());
    assert_eq!(next.nudge.last_change(), 3);
}

#[test]
fn a_journal_is_compacted_when_it_is_much_larger_than_what_stands() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let value = "x".repeat(8000);
    let write = || {
        let hint = SetHint::new("api", "build", value.as_str());
        session.nudge.set_hint(hint).unwrap();
        bytes(&folder).len()
    };
    let header = bytes(&folder).len();
    while !session.journal.wants_compaction() {
        assert!(write() < 2 * 1024 * 1024);
    }
    let size = bytes(&folder).len();
    assert!(size > 1024 * 1024 + 4 * header && size < 1024 * 1024 + 10_000);

    let before = session.export();
    session
        .nudge
        .standing(|changes| session.journal.compact(&changes));
    let compacted = bytes(&folder).len();
    assert!(compacted < 9000 && !session.journal.wants_compaction());
    // It goes on in the new file, up to the new limit.
    assert!(write() > compacted);
    while !session.journal.wants_compaction() {
        write();
    }
    assert!(bytes(&folder).len() > 1024 * 1024 + 4 * compacted);
    let next = Session::take_over(folder.path()).unwrap();
    assert_ne!(next.export(), before);
    assert_eq!(next.export(), session.export());
    assert_eq!(next.nudge.last_change(), session.nudge.last_change());
}

#[test]
fn a_crash_while_it_is_compacted_leaves_the_old_journal_and_nothing_else() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    let mut crashing = Files::open(folder.path()).unwrap();
    let half = crashing.prepare(1, &mut |to| to.write_all(b"half"));
    half.unwrap();
    assert_eq!(names(folder.path()), ["epoch", "journal", "journal.1"]);
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(next.export(), session.export());
    assert_eq!(names(folder.path()), ["epoch", "journal"]);
    assert!(crashing.install().is_err());
    assert_eq!(
        Session::take_over(folder.path()).unwrap().export(),
        session.export()
    );
}

#[test]
fn a_folder_that_was_wiped_gets_its_names_back() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    assert!(session.journal.is_in_place());
    for name in names(folder.path()) {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert!(!session.journal.is_in_place());
    session
        .nudge
        .standing(|changes| session.journal.compact(&changes));
    assert!(session.journal.is_in_place());
    session.nudge.set_hint(set("test")).unwrap();
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(next.export(), session.export());
    assert!(session.nudge.set_hint(set("run")).is_err());
}
