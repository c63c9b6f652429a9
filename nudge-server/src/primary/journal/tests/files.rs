//! The files themselves: whose they are, how they grow and shrink.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use nudge::{DeleteHint, SetHint};
use rustix::fs::{CWD, FileType, Mode};

use super::super::{Journal, Refusal};
use super::stage::{Session, begin, bytes, path, recover, says, start};

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

fn is_recovered(folder: &Path) -> Result<bool, Refusal> {
    Journal::recover(folder, start()).map(|found| found.is_some())
}

/// In how long the journal is to be compacted.
fn due(session: &Session) -> Option<Duration> {
    let due = session.journal.compaction_due()?;
    Some(due.saturating_duration_since(Instant::now()))
}

fn is_due(session: &Session) -> bool {
    due(session) == Some(Duration::ZERO)
}

#[test]
fn only_this_user_may_read_the_files() {
    let (folder, session) = begin();
    session.nudge.set_hint(set("build")).unwrap();
    assert_eq!(names(folder.path()), ["session.journal"]);
    for name in names(folder.path()) {
        let seen = fs::metadata(folder.path().join(&name)).unwrap();
        assert_eq!(seen.permissions().mode() & 0o777, 0o600, "{name}");
    }
    Journal::delete_all(folder.path()).unwrap();
    assert!(!Journal::is_there(folder.path()));
    Journal::delete_all(folder.path()).unwrap();
    assert!(!is_recovered(folder.path()).unwrap());
    fs::write(path(&folder), "\x1etorn").unwrap();
    assert!(!is_recovered(folder.path()).unwrap());
}

#[test]
fn a_link_or_a_fifo_in_the_place_of_the_journal_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    symlink(&elsewhere, path(&folder)).unwrap();
    let refused = is_recovered(folder.path()).unwrap_err();
    assert!(matches!(refused, Refusal::Unusable(_)), "{refused}");
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
    assert!(fs::symlink_metadata(path(&folder)).unwrap().is_symlink());

    fs::remove_file(path(&folder)).unwrap();
    rustix::fs::mknodat(CWD, path(&folder), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let refused = is_recovered(folder.path()).unwrap_err();
    assert!(matches!(refused, Refusal::Unusable(_)), "{refused}");
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    let kind = fs::symlink_metadata(path(&folder)).unwrap().file_type();
    assert!(!kind.is_file());
}

#[test]
fn a_journal_is_compacted_when_it_is_much_larger_than_what_stands() {
    let (folder, session) = begin();
    let value = "x".repeat(8000);
    let write = || {
        let hint = SetHint::new("api", "build", value.as_str());
        session.nudge.set_hint(hint).unwrap();
        bytes(&folder).len()
    };
    let header = bytes(&folder).len();
    while !is_due(&session) {
        assert!(write() < 2 * 1024 * 1024);
    }
    let size = bytes(&folder).len();
    assert!(size > 1024 * 1024 + 4 * header && size < 1024 * 1024 + 10_000);

    let before = session.export();
    session.compact();
    let compacted = bytes(&folder).len();
    assert!(compacted < 9000 && !is_due(&session));
    // It goes on in the new file, up to the new limit.
    assert!(write() > compacted);
    while !is_due(&session) {
        write();
    }
    assert!(bytes(&folder).len() > 1024 * 1024 + 4 * compacted);
    let next = recover(&folder);
    assert_ne!(next.export(), before);
    assert_eq!(next.export(), session.export());
    assert_eq!(next.nudge.last_change(), session.nudge.last_change());
}

#[test]
fn what_is_gone_is_gone_from_the_file_within_a_second_and_what_was_replaced_in_ten_minutes() {
    let (folder, session) = begin();
    let damaged = folder.path().join("session.journal.damaged");
    let write = |value: &str| session.nudge.set_hint(SetHint::new("api", "build", value));
    write("v1").unwrap();
    write("v1").unwrap();
    assert_eq!(due(&session), None);
    write("v2").unwrap();
    let minutes = |minutes| Duration::from_mins(minutes);
    assert!(due(&session).is_some_and(|due| due > minutes(9) && due <= minutes(10)));
    fs::write(&damaged, "v1").unwrap();
    session.compact();
    assert!(!says(&folder, "v1") && due(&session).is_none() && damaged.exists());

    write("v3").unwrap();
    let delete = DeleteHint::new("api", "build");
    session.nudge.delete_hint(delete.clone()).unwrap();
    let first = session.journal.compaction_due().unwrap();
    assert!(due(&session).is_some_and(|due| due <= Duration::from_secs(1)));
    // From the first on, however many follow.
    write("v4").unwrap();
    session.nudge.delete_hint(delete).unwrap();
    assert_eq!(session.journal.compaction_due(), Some(first));
    session.compact();
    assert!(!says(&folder, "v3") && !says(&folder, "v4") && !damaged.exists());
    assert_eq!(due(&recover(&folder)), None);

    write("v5").unwrap();
    let secret = SetHint::new("api", "build", "swordfish").secret();
    session.nudge.set_hint(secret.clone()).unwrap();
    assert!(due(&session).is_some_and(|due| due <= Duration::from_secs(1)));
    session.compact();
    assert!(!says(&folder, "v5") && !says(&folder, "swordfish"));
    // One that was never open has left nothing.
    session.nudge.set_hint(secret).unwrap();
    assert_eq!(due(&session), None);
}

#[test]
fn a_value_that_was_gone_before_a_crash_is_gone_a_second_after_it() {
    let (folder, session) = begin();
    let damaged = folder.path().join("session.journal.damaged");
    session.nudge.set_hint(set("build")).unwrap();
    session
        .nudge
        .delete_hint(DeleteHint::new("api", "build"))
        .unwrap();
    fs::write(&damaged, "make").unwrap();
    let next = recover(&folder);
    assert!(due(&next).is_some_and(|due| due <= Duration::from_secs(1)));
    next.compact();
    assert!(!damaged.exists());
}

#[test]
fn a_folder_that_was_wiped_gets_its_names_back() {
    let (folder, session) = begin();
    session.nudge.set_hint(set("build")).unwrap();
    assert!(session.journal.is_in_place());
    for name in names(folder.path()) {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert!(!session.journal.is_in_place());
    // What a crash left of another compaction is in nobody's way.
    fs::write(folder.path().join("session.journal.new"), "half").unwrap();
    session.compact();
    assert!(session.journal.is_in_place());
    assert_eq!(names(folder.path()), ["session.journal"]);
    session.nudge.set_hint(set("test")).unwrap();
    assert_eq!(recover(&folder).export(), session.export());
}
