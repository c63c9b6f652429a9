//! Calls that are repeated because their answer was lost.

use nudge::{Bump, DeleteHint, Error, ErrorKind, Event, GetHint, Import, SetContext, SetHint};

use serde_json::value::RawValue;

use super::super::Journal;
use super::super::answers::{Answers, KEPT, MOST_OF_ALL, MOST_OF_ONE, split};
use super::stage::{Session, begin, recover, says};

const GONE: &str = "the call was made; its answer is gone, ask again";

fn set(value: &str) -> SetHint {
    SetHint::new("api", "build", value)
}

fn bump() -> Bump {
    Bump::new("api", "build")
}

fn delete() -> DeleteHint {
    DeleteHint::new("api", "build")
}

fn uses(session: &Session) -> u64 {
    let found = session.nudge.get_hint(GetHint::new("api", "build"));
    found.unwrap().hint.use_count
}

/// What a request id is answered again, or why not.
fn again(journal: &Journal, id: &str) -> String {
    match journal.repeated(id).unwrap() {
        Ok(answer) => answer.get().to_owned(),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unavailable);
            error.to_string()
        }
    }
}

#[test]
fn a_repeated_call_gets_its_answer_and_is_not_made_again() {
    let (folder, session) = begin();
    session.nudge.set_hint(set("make")).unwrap();
    let first = session.ask("r-1", bump()).unwrap();
    assert_eq!(session.ask("r-1", bump()).unwrap(), first);
    assert_eq!(uses(&session), 1);
    // The next one reads it, and the one after that what the next one rewrote.
    for _ in 0..2 {
        let next = recover(&folder);
        assert_eq!(next.ask("r-1", bump()).unwrap(), first);
        assert_eq!(uses(&next), 1);
    }
}

#[test]
fn an_attempt_that_overlaps_the_first_gets_the_answer_of_the_first() {
    let (_folder, session) = begin();
    session.nudge.set_hint(set("make")).unwrap();
    let second = session.call("r-1", |nudge, by| {
        session.ask("r-1", bump())?;
        nudge.ask(by, bump())
    });
    assert_eq!(uses(&session), 1);
    assert!(second.unwrap().contains("\"use_count\":1"));

    // The same where the second one does not get as far as the journal.
    let second = session.call("r-2", |nudge, by| {
        session.ask("r-2", delete())?;
        nudge.ask(by, delete())
    });
    assert!(second.unwrap().contains("\"deleted\":true"));
}

#[test]
fn a_call_that_was_refused_or_panicked_is_made_again() {
    let (_folder, session) = begin();
    let refused = session.ask("r-1", bump()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotFound);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        session.call("r-1", |_, _| -> Result<(), Error> { panic!("a bug") })
    }));
    assert!(panicked.is_err());
    session.nudge.set_hint(set("make")).unwrap();
    session.ask("r-1", bump()).unwrap();
    assert_eq!(uses(&session), 1);
}

#[test]
fn the_last_1024_clients_are_known_after_a_compaction_and_a_recovery() {
    let (folder, session) = begin();
    let last = format!("c{KEPT}-1");
    for client in 0..=KEPT {
        let value = format!("make {client}");
        session.ask(&format!("c{client}-1"), set(&value)).unwrap();
        // Who called meanwhile is not the one that called longest ago.
        if client == 7 {
            session.ask("c0-2", bump()).unwrap();
            session.compact();
        }
    }
    let next = recover(&folder);
    for journal in [&session.journal, &next.journal] {
        for (id, is_known) in [("c1-1", false), ("c2-1", true), ("c0-2", true)] {
            assert_eq!(journal.repeated(id).is_some(), is_known, "{id}");
        }
        assert!(again(journal, &last).contains(&format!("make {KEPT}")));
    }
}

#[test]
fn a_lower_number_is_refused_and_a_higher_one_is_a_call_of_its_own() {
    let (folder, session) = begin();
    session.nudge.set_hint(set("make")).unwrap();
    session.ask("c-9", bump()).unwrap();
    session.ask("c-10", bump()).unwrap();
    let next = recover(&folder);
    for session in [&session, &next] {
        let refused = session.ask("c-9", bump()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unavailable);
        assert_eq!(
            refused.to_string(),
            "the call 10 of this client was made before; number each call higher than the last"
        );
        assert_eq!(uses(session), 2);
    }
    next.ask("c-12", bump()).unwrap();
    assert_eq!(uses(&next), 3);
}

#[test]
fn an_id_without_a_number_is_a_client_of_its_own() {
    for (id, parts) in [
        ("c-7", ("c", 7)),
        ("a-b-7", ("a-b", 7)),
        ("c/2-7", ("c/2", 7)),
        ("build-7-lint", ("build-7-lint", 0)),
        ("7", ("7", 0)),
        ("-7", ("-7", 0)),
        ("c-", ("c-", 0)),
        ("c-+7", ("c-+7", 0)),
        ("c-99999999999999999999", ("c-99999999999999999999", 0)),
    ] {
        assert_eq!(split(id), parts, "{id}");
    }
    let (_folder, session) = begin();
    session.nudge.set_hint(set("make")).unwrap();
    for id in ["build-7-lint", "build-6-lint", "build-7-lint"] {
        session.ask(id, bump()).unwrap();
    }
    assert_eq!(uses(&session), 2);
}

#[test]
fn an_answer_that_shows_what_is_gone_is_gone_too() {
    for end in ["delete", "secret", "replace"] {
        let (folder, session) = begin();
        let hint = SetHint::new("a\"pi", "build", "make it so");
        session.ask("set-1", hint).unwrap();
        session.ask("bump-1", Bump::new("a\"pi", "build")).unwrap();
        let event = Event::after_command("make it so").exit_code(0);
        session.ask("event-1", event).unwrap();
        session
            .ask("other-1", SetContext::new("ports", ["1"]))
            .unwrap();
        assert!(again(&session.journal, "event-1").contains("make it so"));
        let nudge = &session.nudge;
        let ended = match end {
            "delete" => nudge
                .delete_hint(DeleteHint::new("a\"pi", "build"))
                .map(drop),
            "secret" => {
                let secret = SetHint::new("a\"pi", "build", "swordfish").secret();
                nudge.set_hint(secret).map(drop)
            }
            _ => {
                let payload = r#"{"schema_version": "1.0", "components": {}}"#;
                nudge.import(Import::new(payload).replace()).map(drop)
            }
        };
        ended.unwrap();
        let next = recover(&folder);
        for journal in [&session.journal, &next.journal] {
            for id in ["set-1", "bump-1", "event-1"] {
                assert_eq!(again(journal, id), GONE, "{id}");
            }
            assert_ne!(again(journal, "other-1"), GONE);
        }
    }
}

#[test]
fn an_answer_that_shows_what_was_replaced_goes_with_the_next_compaction() {
    let (folder, session) = begin();
    session.ask("a-1", set("make")).unwrap();
    session.ask("b-1", set("make all")).unwrap();
    assert!(again(&session.journal, "a-1").contains("make"));
    assert_eq!(again(&recover(&folder).journal, "a-1"), GONE);
    session.compact();
    assert_eq!(again(&session.journal, "a-1"), GONE);
    assert!(again(&session.journal, "b-1").contains("make all"));
}

#[test]
fn what_a_delete_took_away_is_answered_again_by_its_own_server_alone() {
    let (folder, session) = begin();
    session.nudge.set_hint(set("make it so")).unwrap();
    session.ask("c-1", delete()).unwrap();
    session.compact();
    assert!(!says(&folder, "make it so"));
    assert!(again(&session.journal, "c-1").contains("make it so"));
    assert_eq!(again(&recover(&folder).journal, "c-1"), GONE);
}

#[test]
fn answers_are_kept_within_so_many_bytes_the_newest_first() {
    let mut answers = Answers::default();
    let answer = |length: usize| RawValue::from_string("1".repeat(length)).unwrap();
    let says = |answers: &Answers, client: usize| {
        let again = answers.get(&format!("c{client}-1")).unwrap();
        again.map_or_else(|error| error.to_string(), |_| "again".to_owned())
    };
    for client in 0..KEPT {
        let call = (&*format!("c{client}"), 1);
        answers.keep(call, Some(answer(MOST_OF_ONE)), false);
    }
    let kept = answers.writable().filter_map(|kept| kept.result);
    let bytes: usize = kept.map(|result| result.get().len()).sum();
    assert!(bytes <= MOST_OF_ALL, "{bytes}");
    assert_eq!(says(&answers, KEPT - 1), "again");
    assert_eq!(says(&answers, 0), GONE);
    answers.keep(("c0", 1), Some(answer(MOST_OF_ONE + 1)), false);
    assert_eq!(says(&answers, 0), GONE);
}
