//! Whether a journal that was left behind still counts.

use std::fs::File;

use chrono::{DateTime, TimeDelta, Utc};
use nudge::SetHint;
use tempfile::TempDir;

use super::super::Journal;
use super::stage::{Session, folder, path, start};

/// A journal that was last written at the start.
fn left_behind(folder: &TempDir, keep_until: Option<DateTime<Utc>>) {
    let session = Session::begin(folder.path());
    let hint = SetHint::new("api", "build", "make");
    session.nudge.set_hint(hint).unwrap();
    if let Some(at) = keep_until {
        session.journal.keep_until(at).unwrap();
    }
    age(folder);
}

fn age(folder: &TempDir) {
    let file = File::options().append(true).open(path(folder)).unwrap();
    file.set_modified(start().into()).unwrap();
}

fn counts(folder: &TempDir, after: TimeDelta, members_live: bool) -> bool {
    let taken = Journal::take_over(folder.path(), start() + after, members_live).unwrap();
    let counts = taken.is_some();
    assert_eq!(Journal::is_there(folder.path()), counts);
    counts
}

#[test]
fn a_journal_that_a_crash_left_behind_counts_for_ten_minutes() {
    for (seconds, expected) in [(0, true), (599, true), (600, false), (-3600, true)] {
        let folder = folder();
        left_behind(&folder, None);
        let after = TimeDelta::seconds(seconds);
        assert_eq!(counts(&folder, after, false), expected, "{seconds} s");
    }
}

#[test]
fn a_journal_counts_at_any_age_while_members_live() {
    for keep_until in [None, Some(start())] {
        let folder = folder();
        left_behind(&folder, keep_until);
        assert!(counts(&folder, TimeDelta::days(9), true));
    }
}

#[test]
fn a_journal_that_is_kept_counts_for_as_long_as_it_says() {
    // Also when that is less than a crash would have been given.
    for hours in [8, 0] {
        let until = TimeDelta::hours(hours) + TimeDelta::minutes(5);
        let second = TimeDelta::seconds(1);
        for (after, expected) in [(until - second, true), (until, false)] {
            let folder = folder();
            left_behind(&folder, Some(start() + until));
            assert_eq!(counts(&folder, after, false), expected, "{after}");
        }
    }
}

#[test]
fn a_session_that_went_on_is_not_kept_any_more() {
    let folder = folder();
    left_behind(&folder, Some(start() + TimeDelta::days(1)));
    let next = Session::take_over(folder.path()).unwrap();
    let hint = SetHint::new("api", "test", "make test");
    next.nudge.set_hint(hint).unwrap();
    age(&folder);
    assert!(!counts(&folder, TimeDelta::hours(1), false));
}

#[test]
fn a_kept_journal_that_was_written_to_again_counts_like_any_other() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let day = start() + TimeDelta::days(1);
    session.journal.keep_until(day).unwrap();
    let hint = SetHint::new("api", "test", "make test");
    session.nudge.set_hint(hint).unwrap();
    age(&folder);
    assert!(!counts(&folder, TimeDelta::hours(1), false));
}
