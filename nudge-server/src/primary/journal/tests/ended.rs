//! When a session was last used, and what is left of it when it is over.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use chrono::{TimeDelta, Utc};
use nudge::SetHint;

use super::super::{Aside, Ended, Journal};
use super::stage::{Session, bytes, path, start};

fn session(folder: &tempfile::TempDir) -> Session {
    let session = Session::begin(folder.path());
    let hint = SetHint::new("api", "build", "make");
    session.nudge.set_hint(hint).unwrap();
    session
}

fn kinds(folder: &tempfile::TempDir) -> Vec<Aside> {
    let ended = Journal::ended(folder.path());
    ended.iter().map(|ended| ended.kind).collect()
}

#[test]
fn the_time_of_the_file_says_when_the_session_was_last_used() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Journal::last_active(folder.path()).unwrap().is_none());
    let session = session(&folder);
    let long_ago: SystemTime = start().into();
    let file = File::options().append(true).open(path(&folder)).unwrap();
    file.set_modified(long_ago).unwrap();
    let last_active = || Journal::last_active(folder.path()).unwrap().unwrap();
    assert_eq!(last_active(), long_ago);
    session.journal.touch();
    let age = SystemTime::from(Utc::now()).duration_since(last_active());
    assert!(age.is_ok_and(|age| age < Duration::from_mins(1)));
}

#[test]
fn a_journal_that_is_put_aside_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        Journal::put_aside(folder.path(), Aside::Stopped).unwrap(),
        None
    );
    let session = session(&folder);
    let before = bytes(&folder);
    let aside = Journal::put_aside(folder.path(), Aside::Lingered)
        .unwrap()
        .unwrap();
    assert!(!Journal::is_there(folder.path()));
    assert!(Journal::recover(folder.path(), start()).unwrap().is_none());
    let [ended] = &Journal::ended(folder.path())[..] else {
        panic!("there is one");
    };
    assert_eq!(
        (&ended.path, ended.kind, ended.told),
        (&aside, Aside::Lingered, false)
    );
    let name = format!("ended-linger-{}.journal", ended.moved_at.timestamp_millis());
    assert_eq!(aside, folder.path().join(name));

    let recovered = Journal::read_ended(&aside, start()).unwrap();
    assert_eq!((&*recovered.session_id, recovered.last_change), ("s-1", 1));
    let twin = Session::with(Journal::in_memory()).following(recovered, 0);
    assert_eq!(twin.export(), session.export());
    assert_eq!(fs::read(&aside).unwrap(), before);
    Journal::read_ended(&folder.path().join("ended-stop-1.journal"), start()).unwrap_err();

    // What is wrong with it is told, and it stays where it is.
    let damaged = [&before[..], b"damage\n"].concat();
    fs::write(&aside, &damaged).unwrap();
    let recovered = Journal::read_ended(&aside, start()).unwrap();
    assert!(recovered.notices[0].starts_with("a damaged part of the journal was left out"));
    assert_eq!(fs::read(&aside).unwrap(), damaged);
    assert!(!folder.path().join("session.journal.damaged").exists());
}

#[test]
fn the_newest_comes_first_and_one_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    for kind in [
        Aside::Stopped,
        Aside::Failed,
        Aside::Failed,
        Aside::Lingered,
    ] {
        session(&folder);
        Journal::put_aside(folder.path(), kind).unwrap();
        std::thread::sleep(Duration::from_millis(2));
    }
    fs::write(folder.path().join("ended-dance-1.journal"), "").unwrap();
    fs::write(folder.path().join("ended-stop-x.journal"), "").unwrap();
    let mut ended = Journal::ended(folder.path());
    assert_eq!(
        kinds(&folder),
        [
            Aside::Lingered,
            Aside::Failed,
            Aside::Failed,
            Aside::Stopped
        ]
    );
    ended[1].tell().unwrap();
    ended[1].tell().unwrap();
    let told = |ended: &Ended| ended.told;
    let again = Journal::ended(folder.path());
    assert_eq!(
        again.iter().map(told).collect::<Vec<_>>(),
        [false, true, false, false]
    );
    assert_eq!(again[1], ended[1]);
    Journal::read_ended(&again[1].path, start()).unwrap();
}

#[test]
fn what_was_stopped_is_kept_for_ten_minutes_and_the_rest_for_a_week() {
    let folder = tempfile::tempdir().unwrap();
    for kind in [Aside::Stopped, Aside::Lingered, Aside::Failed] {
        session(&folder);
        Journal::put_aside(folder.path(), kind).unwrap();
    }
    let first = Journal::ended(folder.path()).pop().unwrap().moved_at;
    for (after, left) in [
        (TimeDelta::minutes(10) - TimeDelta::seconds(1), 3),
        (TimeDelta::minutes(11), 2),
        (TimeDelta::days(7) - TimeDelta::seconds(1), 2),
        (TimeDelta::days(8), 0),
    ] {
        Journal::forget_old(folder.path(), first + after).unwrap();
        assert_eq!(kinds(&folder).len(), left, "{after}");
    }
}

#[test]
fn a_purge_leaves_nothing_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("journal");
    fs::write(&old, "of version 0.1").unwrap();
    session(&folder);
    Journal::put_aside(folder.path(), Aside::Stopped).unwrap();
    session(&folder);
    fs::write(folder.path().join("session.journal.damaged"), "x").unwrap();
    Journal::delete_all(folder.path()).unwrap();
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|one| one.unwrap().path())
        .collect();
    assert_eq!(left, [old]);
}
