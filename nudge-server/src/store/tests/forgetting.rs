//! What is gone is in no byte of the folder, whatever came before.

use std::time::{Duration, Instant};

use nudge::{Caller, DeleteHint, SetHint, Ttl};
use tempfile::tempdir;

use super::super::rows::{OWED, state};
use super::super::sessions::End;
use super::{REPO, Store, at, holds};

/// Has what is due in a second be done now.
fn settled(store: &Store) {
    let due = store.memory.due().unwrap();
    assert!(due <= Instant::now() + Duration::from_secs(1));
    store.memory.file().settle(at("10:00"));
}

#[test]
fn what_a_killed_process_left_is_gone_after_the_next_start() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    store.set("gone", "swordfish");
    let delete = DeleteHint::new("api", "gone");
    store.nudge.delete_hint(delete).unwrap();
    let owed = |store: &Store| store.memory.on_file(|on| state(on, OWED)).unwrap();
    assert_eq!(owed(&store), 1);
    drop(store);
    let next = Store::open(folder.path());
    settled(&next);
    let later = Instant::now() + Duration::from_mins(9);
    let due = next.memory.due();
    assert!(due > Some(later), "no more than answers of before");
    // Only a rewritten file takes it back.
    assert_eq!(owed(&next), 0);
    assert!(!holds(folder.path(), "swordfish"));
}

#[test]
fn nobody_waits_for_a_large_write_to_know_what_is_due() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    let due = store.memory.on_file(|_| Ok(store.memory.due())).unwrap();
    assert!(due.unwrap() > Instant::now());
}

#[test]
fn what_ended_with_a_session_is_gone_with_what_is_deleted_or_purged() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    let session = || {
        SetHint::new("api", "gone", "swordfish")
            .repo(REPO)
            .ttl(Ttl::SESSION)
    };
    store.nudge.set_hint(session()).unwrap();
    store.memory.end(End::Stopped, at("10:00")).unwrap();
    drop(store);
    let store = Store::open(folder.path());
    store.set("gone", "swordfish");
    store
        .nudge
        .delete_hint(DeleteHint::new("api", "gone"))
        .unwrap();
    settled(&store);
    assert!(!holds(folder.path(), "swordfish"));
    // What a client was answered goes, too.
    let id = "client-1";
    let set = || {
        let by = Caller::user().request(id);
        let set = store.nudge.ask(&by, session())?;
        Ok(serde_json::value::to_raw_value(&set).unwrap())
    };
    store
        .memory
        .once::<nudge::Error>(id, ["set", ""], set)
        .unwrap();
    store.memory.end(End::Purged, at("10:00")).unwrap();
    settled(&store);
    assert!(!holds(folder.path(), "swordfish"));
    assert_eq!(store.memory.ended(at("10:00")), None);
}
