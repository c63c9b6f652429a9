//! Files that cannot be used, and places where nothing is.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use nudge::ErrorKind;
use serde_json::json;

use super::super::requests::{RecentContext, Search};
use super::super::{Noted, Observer};
use super::{Desk, NOW, place};

fn file(desk: &Desk) -> PathBuf {
    let folder = desk.home.path().join(".local/state/nudge-hints");
    fs::create_dir_all(&folder).unwrap();
    folder.join("observations.db")
}

#[test]
fn the_file_is_for_its_user_alone_and_made_when_it_is_needed() {
    let mut desk = Desk::new();
    let folder = desk.home.path().join(".local");
    assert!(!folder.exists());
    desk.ran("s1", "make", 0, "");
    desk.observer.finish();
    let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = file(&desk);
    assert_eq!(mode(&path.parent().unwrap().to_owned()), 0o700);
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
}

#[test]
fn a_link_and_a_damaged_file_pause_the_observations_with_one_warning() {
    for what in [
        "a link",
        "a damaged file",
        "a folder",
        "a file of a later version",
    ] {
        let mut desk = Desk::new();
        let (path, target) = (file(&desk), desk.home.path().join("target"));
        match what {
            "a link" => {
                fs::write(&target, "").unwrap();
                symlink(&target, &path).unwrap();
            }
            "a folder" => fs::create_dir(&path).unwrap(),
            "a damaged file" => fs::write(&path, "garbage ".repeat(1000)).unwrap(),
            _ => {
                let later = rusqlite::Connection::open(&path).unwrap();
                later.pragma_update(None, "user_version", 99).unwrap();
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
        assert_eq!(desk.observer.warning().as_ref(), notices.first(), "{what}");
        let error = desk.ask::<Search>(json!({"query": "make"})).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{what}");
        assert_eq!(fs::read(&target).unwrap_or_default(), b"", "{what}");
        if what == "a damaged file" {
            assert!(notices[0].contains("damaged"), "{notices:?}");
            fs::remove_file(&path).unwrap();
            assert_eq!(
                desk.ask::<RecentContext>(json!({})).unwrap(),
                json!({"observations": []})
            );
            assert_eq!(desk.observer.warning(), None);
        }
    }
}

#[test]
fn a_file_that_is_damaged_later_pauses_them_too() {
    let mut desk = Desk::new();
    desk.ran("s1", "make", 0, "");
    desk.observer.finish();
    desk.observer = Observer::new(desk.home.path());
    let path = file(&desk);
    let log = path.with_extension("db-wal");
    // The last one to close it takes it away.
    while log.exists() {
        std::thread::yield_now();
    }
    let mut bytes = fs::read(&path).unwrap();
    bytes[100..].fill(0xff);
    fs::write(&path, bytes).unwrap();
    desk.ran("s1", "make", 0, "");
    desk.observer.finish();
    assert_eq!(desk.observer.take_notices().len(), 1);
}

#[test]
fn outside_a_repository_nothing_is_answered() {
    let mut desk = Desk::new();
    desk.ran("s1", "make", 0, "");
    for context in [json!({"cwd": "/tmp"}), json!({})] {
        let error = desk.ask::<Search>(json!({"query": "make", "context": context}));
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("of a repository"), "{error}");
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
        let params = params.to_string();
        desk.observer.note(Noted { at: NOW, params });
    }
    let (mut written, mut dropped) = said();
    while written + dropped < 20_000 {
        (written, dropped) = said();
    }
    assert!(dropped > 0);
}
