//! Files that cannot be used, and places where nothing is.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use nudge::ErrorKind;
use serde_json::json;

use super::super::requests::{RecentContext, Search};
use super::{Desk, NOW, noted, place};

fn file(desk: &Desk) -> PathBuf {
    desk.folder.path().join("history.db")
}

#[test]
fn the_file_is_for_its_user_alone_and_made_when_it_is_needed() {
    let mut desk = Desk::new();
    assert!(!file(&desk).exists());
    desk.ran("s1", "make", 0, "");
    assert_eq!(desk.found("make"), ["make"]);
    for entry in fs::read_dir(desk.folder.path()).unwrap() {
        let mode = entry.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
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
        let error = desk.ask::<Search>(json!({"query": "make"})).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{what}");
        assert_eq!(desk.observer.warning().as_ref(), notices.first(), "{what}");
        assert_eq!(fs::read(&target).unwrap_or_default(), b"", "{what}");
        if what == "a folder" {
            fs::remove_dir(&path).unwrap();
            assert_eq!(
                desk.ask::<RecentContext>(json!({})).unwrap(),
                json!({"observations": []})
            );
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
        let from = if shows == "when it is opened" {
            0
        } else {
            4096
        };
        bytes[from..].fill(0xff);
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
fn outside_a_repository_nothing_is_answered() {
    let mut desk = Desk::new();
    desk.ran("s1", "make", 0, "");
    for context in [json!({"cwd": "/tmp"}), json!({})] {
        let error = desk.ask::<Search>(json!({"query": "make", "context": context}));
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(
            error.to_string().contains("not in a git repository"),
            "{error}"
        );
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
