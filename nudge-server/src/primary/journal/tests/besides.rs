//! What a session keeps beside its hints outlives its PRIMARY as well.

use nudge::{
    Accept, Bump, ContextSets, GetContext, GetHint, ListProposals, Outcome, Proposals, Propose,
    Reject, SetContext, SetHint,
};

use super::stage::{Session, folder};

fn set(value: &str) -> SetHint {
    SetHint::new("api", "build", value)
}

fn propose(key: &str) -> Propose {
    Propose::new(SetHint::new("api", key, "make"), "it worked")
}

fn working_set(session: &Session) -> ContextSets {
    session.nudge.get_context(GetContext::default()).unwrap()
}

fn waiting(session: &Session) -> Proposals {
    session
        .nudge
        .list_proposals(ListProposals::default())
        .unwrap()
}

/// The session after a compaction, and the one that takes it over then.
fn compacted(session: &Session, folder: &tempfile::TempDir) -> Session {
    let nudge = &session.nudge;
    nudge.standing(|changes| session.journal.compact(&changes));
    Session::take_over(folder.path()).unwrap()
}

#[test]
fn what_is_being_worked_on_survives_a_take_over_and_a_compaction() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let nudge = &session.nudge;
    nudge
        .set_context(SetContext::new("ports", ["1", "2"]))
        .unwrap();
    nudge
        .set_context(SetContext::new("endpoints", ["/a"]))
        .unwrap();
    nudge.set_context(SetContext::new("tables", ["x"])).unwrap();
    nudge
        .set_context(SetContext::new("tables", [""; 0]))
        .unwrap();
    let known = working_set(&session);
    assert_eq!(known.sets.len(), 2);
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(working_set(&next), known);
    assert_eq!(next.nudge.last_change(), nudge.last_change());
    let last = compacted(&next, &folder);
    assert_eq!(working_set(&last), known);
    // Which one is the oldest is known as well.
    let many: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    for name in ["a", "b", "c", "d"] {
        last.nudge
            .set_context(SetContext::new(name, &many))
            .unwrap();
    }
    let full = last.nudge.set_context(SetContext::new("e", &many)).unwrap();
    assert_eq!(full.dropped["ports"], ["1", "2"]);
    assert_eq!(full.dropped["endpoints"], ["/a"]);
}

#[test]
fn a_set_that_was_taken_away_does_not_come_back() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session
        .nudge
        .set_context(SetContext::new("ports", ["1"]))
        .unwrap();
    session
        .nudge
        .set_context(SetContext::new("ports", [""; 0]))
        .unwrap();
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(working_set(&next), ContextSets::default());
}

#[test]
fn proposals_survive_a_take_over_and_a_compaction_with_their_numbers() {
    let folder = folder();
    let session = Session::begin(folder.path());
    for key in ["a", "b", "c", "d"] {
        session.nudge.propose(propose(key)).unwrap();
    }
    session.nudge.reject(Reject::new(4)).unwrap();
    session.nudge.accept(Accept::new(2)).unwrap();
    let known = waiting(&session);
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(waiting(&next), known);
    let last = compacted(&next, &folder);
    assert_eq!(waiting(&last), known);
    assert_eq!(last.export(), session.export());
    // A number that somebody may have read means nothing else later on.
    assert_eq!(last.nudge.propose(propose("e")).unwrap().proposal.id, 5);
}

#[test]
fn no_number_of_a_proposal_comes_twice_when_none_waits() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.propose(propose("a")).unwrap();
    session.nudge.reject(Reject::new(1)).unwrap();
    let next = Session::take_over(folder.path()).unwrap();
    let last = compacted(&next, &folder);
    assert_eq!(last.nudge.propose(propose("a")).unwrap().proposal.id, 2);
}

#[test]
fn failures_survive_a_take_over_and_a_compaction() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(set("make")).unwrap();
    let fail = || Bump::new("api", "build").outcome(Outcome::Fail);
    session.nudge.bump(fail()).unwrap();
    session.turn(1);
    let known = session.nudge.bump(fail().delta(2)).unwrap().hint;
    assert_eq!(known.fail_count, 3);
    let next = Session::take_over(folder.path()).unwrap();
    let last = compacted(&next, &folder);
    let found = last.nudge.get_hint(GetHint::new("api", "build")).unwrap();
    assert_eq!(found.hint, known);
}

#[test]
fn a_call_about_them_that_is_repeated_is_not_made_again() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let first = session
        .call("r-1", |nudge, by| nudge.ask(by, propose("a")))
        .unwrap();
    session
        .call("r-2", |nudge, by| nudge.ask(by, Reject::new(1)))
        .unwrap();
    let ports = || SetContext::new("ports", ["1"]);
    session
        .call("r-3", |nudge, by| nudge.ask(by, ports()))
        .unwrap();
    session
        .nudge
        .set_context(SetContext::new("ports", ["2"]))
        .unwrap();
    let next = Session::take_over(folder.path()).unwrap();
    let again = next
        .call("r-1", |nudge, by| nudge.ask(by, propose("a")))
        .unwrap();
    assert_eq!(again.get(), first.get());
    assert!(
        next.call("r-2", |nudge, by| nudge.ask(by, Reject::new(1)))
            .is_ok()
    );
    next.call("r-3", |nudge, by| nudge.ask(by, ports()))
        .unwrap();
    assert_eq!(waiting(&next), Proposals::default());
    assert_eq!(working_set(&next).sets["ports"], ["2"]);
}
