//! Sessions that end, and what can be had back of them.

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{SetHint, Ttl};
use serde_json::json;
use tempfile::{TempDir, tempdir};

use super::super::sessions::{End, Session};
use super::{REPO, Store, at, holds};

fn session() -> Session {
    Session {
        id: "s-1".to_owned(),
        created_at: at("09:00"),
        active_at: at("10:00"),
        settings: json!({"max_hints": 7}),
    }
}

/// A folder with a kept hint, in which a session with another one has ended.
fn ended(end: End) -> TempDir {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    store.memory.begin(&session()).unwrap();
    store.set("build", "make");
    let hint = SetHint::new("api", "port", "swordfish").repo(REPO);
    store.nudge.set_hint(hint.ttl(Ttl::SESSION)).unwrap();
    let secret = SetHint::new("api", "token", "tunafish").secret();
    store.nudge.set_hint(secret).unwrap();
    store.memory.end(end, at("10:00")).unwrap();
    folder
}

fn after(time: TimeDelta) -> DateTime<Utc> {
    at("10:00") + time
}

#[test]
fn what_ended_can_be_had_back_for_a_while_and_then_is_gone() {
    for (end, stays) in [
        (End::Stopped, TimeDelta::minutes(10)),
        (End::Lingered, TimeDelta::weeks(1)),
        (End::Purged, TimeDelta::zero()),
    ] {
        let folder = ended(end);
        let store = Store::open(folder.path());
        assert_eq!(store.keys(), ["build"], "{end:?}");
        assert!(store.memory.session().unwrap().is_none());
        let second = TimeDelta::seconds(1);
        let known = store.memory.ended(after(stays - second));
        assert_eq!(
            known.map(|known| known.end),
            (end != End::Purged).then_some(end)
        );
        assert_eq!(
            known.is_some_and(|known| !known.is_told),
            end == End::Lingered
        );
        if known.is_some() {
            let hints = store.memory.ended_hints(after(stays - second)).unwrap();
            assert_eq!(hints.len(), 1, "secrets do not come back");
            assert!(holds(folder.path(), "swordfish"));
        }
        assert_eq!(store.memory.ended(after(stays)), None);
        assert_eq!(store.memory.ended_hints(after(stays)).unwrap(), []);
        store.memory.file().settle(after(stays));
        assert!(!holds(folder.path(), "swordfish") && holds(folder.path(), "make"));
    }
}

#[test]
fn a_session_with_nothing_of_its_own_leaves_the_one_before_it() {
    let folder = ended(End::Lingered);
    let store = Store::open(folder.path());
    store.memory.tell_ended();
    store.memory.begin(&session()).unwrap();
    store.memory.end(End::Stopped, at("11:00")).unwrap();
    let known = store.memory.ended(at("11:30")).unwrap();
    assert_eq!((known.end, known.is_told), (End::Lingered, true));
    // It comes back once.
    store.memory.forget_ended().unwrap();
    assert_eq!(store.memory.ended(at("11:30")), None);
}

#[test]
fn a_session_goes_on_as_it_was() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    store.memory.begin(&session()).unwrap();
    store.memory.touch(at("11:00"));
    drop(store);
    let memory = Store::open(folder.path()).memory;
    let known = memory.session().unwrap().unwrap();
    let times = (known.created_at, known.active_at);
    assert_eq!((&*known.id, times), ("s-1", (at("09:00"), at("11:00"))));
}
