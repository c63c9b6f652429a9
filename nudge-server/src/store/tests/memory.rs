//! What is written is what is read again.

use std::collections::BTreeSet;

use nudge::{
    Bump, Caller, DeleteHint, Event, GetHint, Import, ImportMode, Nudge, Outcome, Reject,
    SetContext, SetHint, WorkingSet, from_json,
};
use serde_json::json;
use tempfile::tempdir;

use super::{REPO, Store, holds, rows, tamper};

fn import(nudge: &Nudge) {
    let components = json!({"web": {"hints": {"run": {"value": "npm start"}}}});
    let payload = json!({"schema_version": "1.0", "components": components}).to_string();
    let mut import = Import::new(payload);
    import.mode = ImportMode::Replace;
    nudge.import(import).unwrap();
}

#[test]
fn a_change_of_every_kind_is_there_again() {
    let folder = tempdir().unwrap();
    let mut kinds = BTreeSet::new();
    let agent = Caller::agent("codex/1").session("s").repo(REPO);
    let of_repo = |key: &str| SetHint::new("api", key, "make").repo(REPO);
    let steps: [&dyn Fn(&Store); 12] = [
        &|store| store.set("build", "make"),
        &|store| drop(store.nudge.set_hint(SetHint::new("me", "editor", "vim"))),
        &|store| drop(store.nudge.bump(Bump::new("me", "editor"))),
        &|store| {
            let bump = Bump::new("me", "editor").outcome(Outcome::Fail);
            store.nudge.bump(bump).unwrap();
        },
        &|store| {
            let set = from_json(br#"{"sets": {"files": ["a.rs", "b.rs"], "ports": [80]}}"#);
            store.nudge.set_context(set.unwrap()).unwrap();
        },
        &|store| {
            let set = SetHint::new("api", "build", "ninja").repo(REPO);
            assert!(store.nudge.ask(&agent, set).unwrap().proposal.is_some());
        },
        &|store| drop(store.nudge.reject(Reject::new(1)).unwrap()),
        &|store| {
            let short = of_repo("short").ttl("PT1M".parse().unwrap());
            store.nudge.set_hint(short).unwrap();
        },
        &|store| {
            store.later("10:02");
            assert_eq!(store.nudge.sweep().unwrap(), 1);
        },
        &|store| {
            let delete = DeleteHint::new("api", "build");
            store.nudge.delete_hint(delete).unwrap();
        },
        &|store| store.set("build", "make"),
        &|store| import(&store.nudge),
    ];
    for (number, step) in steps.iter().enumerate() {
        let store = Store::open(folder.path());
        step(&store);
        let standing = store.standing();
        let written = std::mem::take(&mut *store.kinds.lock().unwrap());
        assert!(!written.is_empty(), "step {number}");
        kinds.extend(written);
        let last = store.nudge.last_change();
        drop(store);
        let again = Store::open(folder.path());
        assert_eq!(again.standing(), standing, "step {number}");
        assert_eq!(again.nudge.last_change(), last);
        assert_eq!(again.notices, [""; 0]);
    }
    let all = [
        "bump", "clear", "context", "delete", "dismiss", "expire", "fail", "mark", "propose",
        "set", "unmark",
    ];
    let all = all.map(|kind| format!("\"{kind}\""));
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_number_of_a_proposal_comes_once() {
    let folder = tempdir().unwrap();
    let agent = Caller::agent("codex/1").session("s").repo(REPO);
    for number in 1..=2 {
        let store = Store::open(folder.path());
        store.set("build", "make");
        let set = SetHint::new("api", "build", format!("ninja{number}")).repo(REPO);
        let proposal = store.nudge.ask(&agent, set).unwrap().proposal.unwrap();
        assert_eq!(proposal.id, number);
        store.nudge.reject(Reject::new(number)).unwrap();
    }
}

#[test]
fn of_a_secret_only_its_place_is_written() {
    let folder = tempdir().unwrap();
    let reopened = || Store::open(folder.path());
    let secret = SetHint::new("api", "token", "swordfish")
        .repo(REPO)
        .secret();
    reopened().nudge.set_hint(secret).unwrap();
    assert!(!holds(folder.path(), "swordfish"));
    let get = || {
        let found = reopened().nudge.get_hint(GetHint::new("api", "token"));
        found.unwrap_err().to_string()
    };
    assert!(
        [get(), get()]
            .iter()
            .all(|it| it.contains("a secret was here"))
    );
    // Until something else stands there.
    reopened().set("token", "$TOKEN");
    let delete = DeleteHint::new("api", "token");
    reopened().nudge.delete_hint(delete).unwrap();
    assert!(!get().contains("secret"), "{}", get());
}

#[test]
fn a_row_that_cannot_be_read_is_put_aside_and_goes_with_what_the_user_deletes_next() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    for key in ["a", "b", "c"] {
        store.set(key, &format!("value-{key}"));
    }
    let event = Event::after_command("npm test").exit_code(0).host("claude");
    store.nudge.on_event(event.session("s")).unwrap();
    drop(store);
    tamper(
        folder.path(),
        "UPDATE hints SET hint = replace(hint, '\"version\"', '') WHERE key = 'b';
         INSERT INTO work VALUES ('x', x'ff'); INSERT INTO marks VALUES ('', '', '', '', 7);",
    );
    let store = Store::open(folder.path());
    let words = "3 rows were unreadable in `nudge.db` and put aside; the others are there";
    assert_eq!(store.notices, [words]);
    assert_eq!(store.keys(), ["a", "c"]);
    drop(store);
    let store = Store::open(folder.path());
    assert_eq!(store.notices, [""; 0]);
    store.memory.file().settle(super::at("10:00"));
    assert!(holds(folder.path(), "value-b"));
    store
        .nudge
        .delete_hint(DeleteHint::new("api", "a"))
        .unwrap();
    store.memory.file().settle(super::at("10:00"));
    assert!(!holds(folder.path(), "value-b") && holds(folder.path(), "value-c"));
}

#[test]
fn what_is_worked_on_by_more_than_are_known_is_not_in_the_file() {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path());
    for number in 0..=WorkingSet::MOST_OWNERS {
        let session = format!("s{number}");
        let agent = Caller::agent("codex/1").session(&session).repo(REPO);
        let files = SetContext::new("files", [format!("f{number}.rs")]);
        store.nudge.ask(&agent, files).unwrap();
    }
    let standing = store.standing();
    drop(store);
    assert_eq!(rows(folder.path(), "work"), 64);
    assert_eq!(Store::open(folder.path()).standing(), standing);
}
