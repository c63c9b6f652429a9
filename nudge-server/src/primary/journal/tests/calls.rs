//! Calls that are repeated because their answer was lost.

use nudge::{Bump, DeleteHint, ErrorKind, GetHint, SetHint};

use super::super::answers::KEPT;
use super::stage::{Session, folder};

fn set(key: &str) -> SetHint {
    SetHint::new("api", key, "make")
}

fn bump() -> Bump {
    Bump::new("api", "build")
}

fn uses(session: &Session) -> u64 {
    let found = session.nudge.get_hint(GetHint::new("api", "build"));
    found.unwrap().hint.use_count
}

#[test]
fn a_repeated_call_gets_its_answer_and_is_not_made_again() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    let first = session
        .call("r-1", |nudge, by| nudge.ask(by, bump()))
        .unwrap();
    let again = session
        .call("r-1", |nudge, by| nudge.ask(by, bump()))
        .unwrap();
    assert_eq!(again.get(), first.get());
    assert_eq!(uses(&session), 1);
}

#[test]
fn a_call_that_is_repeated_to_the_next_primary_is_not_made_again() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    let first = session
        .call("r-1", |nudge, by| nudge.ask(by, bump()))
        .unwrap();
    // Twice, because the second one reads what the first one wrote anew.
    for _ in 0..2 {
        let next = Session::take_over(folder.path()).unwrap();
        let again = next.call("r-1", |nudge, by| nudge.ask(by, bump())).unwrap();
        assert_eq!(again.get(), first.get());
        assert_eq!(uses(&next), 1);
    }
}

#[test]
fn an_attempt_that_overlaps_the_first_gets_the_answer_of_the_first() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("build")).unwrap();
    let second = session.call("r-1", |nudge, by| {
        session.call("r-1", |nudge, by| nudge.ask(by, bump()))?;
        nudge.ask(by, bump())
    });
    assert_eq!(uses(&session), 1);
    assert!(second.unwrap().get().contains("\"use_count\":1"));

    // The same where the second one does not get as far as the journal.
    let second = session.call("r-2", |nudge, by| {
        let delete = || DeleteHint::new("api", "build");
        session.call("r-2", |nudge, by| nudge.ask(by, delete()))?;
        nudge.ask(by, delete())
    });
    assert!(second.unwrap().get().contains("\"deleted\":true"));
}

#[test]
fn a_call_that_was_refused_is_made_again() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let refused = session.call("r-1", |nudge, by| nudge.ask(by, bump()));
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::NotFound);
    session.nudge.set_hint(set("build")).unwrap();
    session
        .call("r-1", |nudge, by| nudge.ask(by, bump()))
        .unwrap();
    assert_eq!(uses(&session), 1);
}

#[test]
fn the_last_256_answers_are_known_after_a_compaction_and_a_take_over() {
    let folder = folder();
    let session = Session::begin(folder.path());
    for number in 0..=KEPT {
        let id = format!("r-{number}");
        let hint = SetHint::new(id.as_str(), "build", "make");
        session.call(&id, |nudge, by| nudge.ask(by, hint)).unwrap();
        if number == KEPT / 2 {
            session
                .nudge
                .standing(|changes| session.journal.compact(&changes));
        }
    }
    let next = Session::take_over(folder.path()).unwrap();
    for journal in [&session.journal, &next.journal] {
        assert!(journal.repeated("r-0").is_none());
        let answer = |id: &str| journal.repeated(id).unwrap().get().to_owned();
        assert!(answer("r-1").contains("\"component\":\"r-1\""));
        let last = format!("r-{KEPT}");
        assert!(answer(&last).contains(&last));
    }
}

#[test]
fn a_call_without_a_request_id_is_not_remembered() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        session.call("r-1", |_, _| -> Result<(), nudge::Error> {
            panic!("a bug")
        })
    }));
    assert!(panicked.is_err());
    session.nudge.set_hint(set("build")).unwrap();
    assert!(session.journal.repeated("r-1").is_none());
}
