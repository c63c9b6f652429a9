//! Files that cannot be used, and more than there is room for.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use nudge::ErrorKind;
use serde_json::json;

use super::super::requests::Search;
use super::{Desk, NOW, noted, place};

fn file(desk: &Desk) -> PathBuf {
    desk.folder.path().join("history.db")
}

#[test]
fn a_file_that_cannot_be_used_pauses_the_observations_with_one_warning() {
    for what in ["a link", "a folder", "a file of a later version"] {
        let mut desk = Desk::new();
        let (path, target) = (file(&desk), desk.folder.path().join("target"));
        match what {
            "a link" => {
                fs::write(&target, "").unwrap();
                symlink(&target, &path).unwrap();
            }
            "a folder" => fs::create_dir(&path).unwrap(),
            _ => {
                let later = rusqlite::Connection::open(&path).unwrap();
                later.pragma_update(None, "user_version", 99_000).unwrap();
            }
        }
        for _ in 0..3 {
            desk.ran("s1", "make", 0, "");
        }
        desk.observer.finish();
        let notices = desk.observer.take_notices();
        assert_eq!(notices.len(), 1, "{what}: {notices:?}");
        assert!(
            notices[0].starts_with("observations pause: "),
            "{what}: {notices:?}"
        );
        let (kind, _) = desk.refusal::<Search>(json!({"query": "make"}));
        assert_eq!(kind, ErrorKind::Unavailable, "{what}");
        assert_eq!(desk.observer.warning().as_ref(), notices.first(), "{what}");
        assert_eq!(fs::read(&target).unwrap_or_default(), b"", "{what}");
        if what == "a folder" {
            fs::remove_dir(&path).unwrap();
            assert_eq!(desk.found("make"), [""; 0]);
            assert_eq!(desk.observer.warning(), None);
        }
    }
}

#[test]
fn a_damaged_file_is_moved_aside_whenever_that_shows_and_a_new_one_used() {
    for shows in ["when it is opened", "when it is written", "when it is read"] {
        let mut desk = Desk::new();
        for number in 0..200 {
            desk.ran("s1", &format!("make {number}"), 0, "");
        }
        desk.observer.finish();
        let mut bytes = fs::read(file(&desk)).unwrap();
        bytes[4096..].fill(0xff);
        if shows == "when it is opened" {
            bytes.fill(0xff);
        }
        fs::write(file(&desk), bytes).unwrap();
        let mut expected: &[&str] = &[];
        if shows == "when it is written" {
            desk.ran("s2", "ninja", 0, "");
            expected = &["ninja"];
        }
        assert_eq!(desk.found("make OR ninja"), expected, "{shows}");
        let notices = desk.observer.take_notices();
        assert_eq!(notices.len(), 1, "{shows}: {notices:?}");
        assert!(
            notices[0].contains("is damaged; it was moved to"),
            "{notices:?}"
        );
        assert_eq!(desk.observer.warning(), None, "{shows}");
        let purge = serde_json::from_value(json!({"ids": [7]})).unwrap();
        desk.observer.purge(&purge).unwrap();
        desk.observer.finish();
        assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn more_than_there_is_room_for_is_dropped_and_counted() {
    let desk = Desk::new();
    let said = || {
        let asked = serde_json::from_value(json!({"context": place("api")})).unwrap();
        let said = desk.observer.observe(&asked).unwrap();
        (said.observations as usize, said.dropped)
    };
    for number in 0..20_000 {
        let params = json!({"event": "after_command", "command": format!("make {number}"),
            "ok": false, "output": "error: something went wrong here", "context": place("api")});
        desk.observer.note(noted(NOW, params));
    }
    let (mut written, mut dropped) = said();
    while written + dropped < 20_000 {
        (written, dropped) = said();
    }
    assert!(dropped > 0);
}
