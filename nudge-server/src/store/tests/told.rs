//! What was told: counted, for 30 days, and gone with what it names.

use chrono::TimeDelta;
use nudge::ToldLine;
use tempfile::tempdir;

use super::super::history::{History, Meant};
use super::super::told::Receipts;
use super::{at, holds};

fn counts(history: &mut History, since: i64) -> [usize; 3] {
    let mut all = Receipts::default();
    for of_repo in history.receipts(since, i64::MAX).unwrap().into_values() {
        all += of_repo;
    }
    [all.told, all.heeded, all.stopped]
}

#[test]
fn what_was_told_is_counted_since_a_time_and_kept_for_thirty_days() {
    let folder = tempdir().unwrap();
    let mut history = History::new(folder.path());
    assert_eq!(counts(&mut history, 0), [0, 0, 0]);
    assert!(!holds(folder.path(), "SQLite"), "who asks makes no file");
    let now = at("10:00");
    let line = |event: &str, days: i64, line: &str| ToldLine {
        at: now - TimeDelta::days(days),
        repo: Some("git:acme/api".to_owned()),
        host: "claude".to_owned(),
        session: "s1".to_owned(),
        event: event.to_owned(),
        line: line.to_owned(),
    };
    let old = line("session_start", 31, "- [user] api/test: make t");
    history.write_told(&[old]).unwrap();
    assert_eq!(counts(&mut history, 0), [1, 0, 0]);
    let told = [
        line(
            "before_command",
            1,
            "Nudge: [user] api/test here is \"swordfish\"",
        ),
        line(ToldLine::HELD_BACK, 0, "Nudge held this back once"),
        line(ToldLine::HEEDED, 0, "make t"),
        line(ToldLine::STOPPED, 0, "make t"),
    ];
    history.write_told(&told).unwrap();
    assert_eq!(counts(&mut history, 0), [2, 1, 1]);
    let today = (now - TimeDelta::hours(1)).timestamp_millis();
    assert_eq!(counts(&mut history, today), [1, 1, 1]);
    // Up to the last moment before a time, and not at it.
    let at = now.timestamp_millis();
    assert_eq!(history.receipts(at, at).unwrap().len(), 0);
    assert_eq!(history.receipts(at, at + 1).unwrap().len(), 1);
    let meant = Meant {
        text: Some("swordfish".to_owned()),
        ..Meant::default()
    };
    history.purge(&meant, false).unwrap();
    history.close().unwrap();
    assert_eq!(counts(&mut history, 0), [1, 1, 1]);
    assert!(!holds(folder.path(), "swordfish"));
}
