//! Hints that are marked as secret never reach the disk.

use nudge::{
    Accept, Bump, DeleteHint, ErrorKind, GetHint, ListProposals, Patch, Propose, Reject, Scope,
    Sensitivity, SetHint, Source,
};

use super::stage::{Session, begin, recover, says};

fn secret() -> SetHint {
    SetHint::new("api", "token", "swordfish").secret()
}

fn open(value: &str) -> SetHint {
    let mut request = SetHint::new("api", "token", value);
    request.meta.sensitivity = Patch::Set(Sensitivity::Normal);
    request
}

fn delete() -> DeleteHint {
    DeleteHint::new("api", "token")
}

fn propose() -> Propose {
    let other = SetHint::new("api", "token", "swordfish 2").secret();
    Propose::new(other, "it worked")
}

/// What a get is answered.
fn get(session: &Session) -> String {
    let found = session.nudge.get_hint(GetHint::new("api", "token"));
    match found {
        Ok(found) => found.hint.value.text().into_owned(),
        Err(error) => error.to_string(),
    }
}

fn lost(session: &Session) -> bool {
    get(session).ends_with("a secret was here; set it again")
}

fn waiting(session: &Session) -> usize {
    let waiting = session.nudge.list_proposals(ListProposals::default());
    waiting.unwrap().proposals.len()
}

#[test]
fn nothing_about_a_secret_but_its_place_is_ever_in_the_file() {
    let (folder, session) = begin();
    let check = |when: &str| {
        for word in ["swordfish", "it worked", "result"] {
            assert!(!says(&folder, word), "{word} after {when}");
        }
    };
    for (number, what) in [
        "a set",
        "a bump",
        "a compaction",
        "a proposal",
        "a reject",
        "an accept",
        "a delete",
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("r-{number}");
        let answer = match what {
            "a set" => session.ask(&id, secret().reason("it worked")),
            "a bump" => session.ask(&id, Bump::new("api", "token")),
            "a proposal" => session.ask(&id, propose()),
            "a reject" => session.ask(&id, Reject::new(1)),
            "an accept" => {
                session.nudge.propose(propose()).unwrap();
                session.ask(&id, Accept::new(2))
            }
            "a delete" => session.ask(&id, delete()),
            _ => {
                session.compact();
                continue;
            }
        };
        answer.unwrap();
        check(what);
    }
    session.nudge.propose(propose()).unwrap();
    // What went by unseen is still counted, so that no number comes twice.
    let next = recover(&folder);
    check("a recovery");
    assert_eq!(next.nudge.last_change(), session.nudge.last_change());
    assert_eq!(waiting(&next), 0);
    assert_eq!(next.nudge.propose(propose()).unwrap().proposal.id, 4);
}

#[test]
fn an_open_value_and_a_secret_take_the_place_of_each_other() {
    let (folder, session) = begin();
    session.nudge.set_hint(open("hello")).unwrap();
    session.nudge.set_hint(secret()).unwrap();
    let next = recover(&folder);
    assert!(lost(&next), "the open one came back");

    next.nudge.set_hint(secret()).unwrap();
    next.ask("r-1", open("hello")).unwrap();
    let next = recover(&folder);
    assert_eq!(get(&next), "hello");
    assert!(next.journal.repeated("r-1").unwrap().is_ok());
    // It is open from then on, and its removal is written.
    next.nudge.delete_hint(delete()).unwrap();
    assert!(get(&recover(&folder)).contains("no component"));
}

#[test]
fn a_repeated_call_about_a_secret_is_answered_by_its_own_server_alone() {
    let (folder, session) = begin();
    for _ in 0..2 {
        let answer = session.ask("r-1", secret()).unwrap();
        assert!(answer.contains("\"version\":1"));
    }
    // That it was made is known to the next one as well.
    let refused = recover(&folder).ask("r-1", secret()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
}

#[test]
fn a_secret_leaves_a_mark() {
    let (folder, mut session) = begin();
    session.nudge.set_hint(secret()).unwrap();
    assert!(session.nudge.holds_secrets() && !lost(&session));
    for _ in 0..2 {
        session = recover(&folder);
        assert!(lost(&session) && !session.nudge.holds_secrets());
    }
    // A compaction makes one of a secret that stands.
    session.nudge.set_hint(secret()).unwrap();
    session.compact();
    session = recover(&folder);
    assert!(lost(&session));
    // What was taken away is not lost.
    session.nudge.set_hint(secret()).unwrap();
    session.nudge.delete_hint(delete()).unwrap();
    assert!(!lost(&recover(&folder)));
}

#[test]
fn a_secret_keeps_its_mark_while_other_variants_come_and_go() {
    let (folder, session) = begin();
    let nudge = &session.nudge;
    nudge.set_hint(secret().branch("dev")).unwrap();
    nudge.set_hint(secret().branch("main")).unwrap();
    nudge.set_hint(open("hello")).unwrap();
    nudge.delete_hint(delete().scope(Scope::new())).unwrap();
    let dev = Scope::new().branch("dev");
    nudge.delete_hint(delete().scope(dev)).unwrap();
    assert!(lost(&recover(&folder)));
}

#[test]
fn what_stands_against_a_proposal_is_not_told_if_it_is_a_secret() {
    let (folder, session) = begin();
    session.nudge.set_hint(secret()).unwrap();
    let proposed = session.ask("r-1", open("hello").source(Source::Agent));
    assert!(proposed.unwrap().contains("swordfish"));
    assert!(!says(&folder, "swordfish") && !says(&folder, "result"));
    // The secret is still known as one, and its removal tells nothing of it.
    session.ask("r-2", delete()).unwrap();
    assert!(!says(&folder, "swordfish"));
    // What the user deletes, nobody has to decide about any more.
    assert_eq!(waiting(&recover(&folder)), 0);
}

#[test]
fn a_secret_proposal_does_not_make_a_secret_of_what_stands() {
    let (folder, session) = begin();
    session.nudge.set_hint(open("hello")).unwrap();
    session.nudge.propose(propose()).unwrap();
    assert_eq!(get(&recover(&folder)), "hello");
    session.nudge.delete_hint(delete()).unwrap();
    session.compact();
    assert!(get(&recover(&folder)).contains("no component"));
}
