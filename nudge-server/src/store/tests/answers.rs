//! A call that is made again is answered again, and done once.

use nudge::{Caller, DeleteHint, Error, ErrorKind, SetHint};
use serde_json::value::{RawValue, to_raw_value};
use tempfile::tempdir;

use super::{Memory, REPO, Store, holds, rows};

/// Sets a value under a number of a client.
fn set(store: &Store, id: &str, value: &str) -> Result<Box<RawValue>, Error> {
    store.memory.once(id, ["nudge.set_hint", value], || {
        let by = Caller::user().request(id);
        let set = SetHint::new("api", "build", value).repo(REPO);
        Ok(to_raw_value(&store.nudge.ask(&by, set)?).unwrap())
    })
}

fn delete(store: &Store, id: &str) -> Result<Box<RawValue>, Error> {
    store.memory.once(id, ["nudge.delete_hint", ""], || {
        let by = Caller::user().request(id);
        let deleted = store.nudge.ask(&by, DeleteHint::new("api", "build"))?;
        Ok(to_raw_value(&deleted).unwrap())
    })
}

#[test]
fn a_call_that_is_repeated_is_answered_and_not_done_again() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    let first = set(&store, "c-1", "make").unwrap();
    let changes = store.nudge.last_change();
    assert_eq!(set(&store, "c-1", "make").unwrap().get(), first.get());
    // Another client has numbers of its own.
    set(&store, "d-1", "cmake").unwrap();
    drop(store);
    let store = Store::open(folder.path());
    assert_eq!(set(&store, "c-1", "make").unwrap().get(), first.get());
    assert_eq!(store.nudge.last_change(), changes + 1);
    // A number says one thing, and numbers rise.
    let invalid = |id: &str, value: &str| set(&store, id, value).unwrap_err().kind();
    assert_eq!(invalid("c-1", "ninja"), ErrorKind::Invalid);
    set(&store, "c-2", "ninja").unwrap();
    assert_eq!(invalid("c-1", "make"), ErrorKind::Invalid);
    // What was refused was not done, and is tried again.
    assert_eq!(invalid("c-3", &"x".repeat(9000)), ErrorKind::Quota);
    set(&store, "c-3", "tup").unwrap();
}

#[test]
fn no_answer_shows_what_is_gone() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    set(&store, "c-1", "swordfish").unwrap();
    let deleted = delete(&store, "d-1").unwrap();
    assert!(deleted.get().contains("swordfish"));
    let gone = |store: &Store| set(store, "c-1", "swordfish").unwrap_err().kind();
    assert_eq!(gone(&store), ErrorKind::Unavailable);
    store.memory.file().settle(super::at("10:00"));
    assert!(!holds(folder.path(), "swordfish"));
    drop(store);
    let store = Store::open(folder.path());
    assert_eq!(gone(&store), ErrorKind::Unavailable);
    let again = delete(&store, "d-1").unwrap_err();
    assert_eq!(again.kind(), ErrorKind::Unavailable);
    // Ten minutes later nobody asks any more.
    store.memory.file().settle(super::at("10:11"));
    drop(store);
    set(&Store::open(folder.path()), "c-1", "make").unwrap();
}

#[test]
fn after_a_kill_the_next_server_forgets_what_nobody_asks_for_any_more() {
    let folder = tempdir().unwrap();
    set(&Store::open(folder.path()), "c-1", "make").unwrap();
    for (time, left) in [("10:09", 1), ("10:11", 0)] {
        drop(Memory::open(folder.path(), super::at(time)).unwrap());
        assert_eq!(rows(folder.path(), "answers"), left, "{time}");
    }
}

#[test]
fn a_call_that_stored_a_secret_is_made_again() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    for version in 1..=2_u64 {
        let id = "c-1";
        let set = store
            .memory
            .once::<Error>(id, ["nudge.set_hint", "token"], || {
                let by = Caller::user().request(id);
                let set = SetHint::new("api", "token", format!("fish{version}")).secret();
                let set = store.nudge.ask(&by, set)?;
                assert_eq!(set.hint.version, version);
                Ok(to_raw_value(&true).unwrap())
            });
        set.unwrap();
    }
    assert!(!holds(folder.path(), "fish"));
}
