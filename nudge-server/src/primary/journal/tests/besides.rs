//! What a session keeps beside its hints outlives its PRIMARY as well.

use nudge::{
    Accept, Bump, ContextSets, GetContext, GetHint, ListProposals, Outcome, Propose, Reject,
    SetContext, SetHint,
};

use super::stage::{Session, begin, recover};

fn propose(key: &str) -> Propose {
    Propose::new(SetHint::new("api", key, "make"), "it worked")
}

fn working_set(session: &Session) -> ContextSets {
    session.nudge.get_context(GetContext::default()).unwrap()
}

fn waiting(session: &Session) -> Vec<u64> {
    let waiting = session.nudge.list_proposals(ListProposals::default());
    let numbers = waiting.unwrap().proposals.into_iter().map(|one| one.id);
    numbers.collect()
}

#[test]
fn what_is_worked_on_proposed_and_failed_survives_a_recovery_and_a_compaction() {
    let (folder, session) = begin();
    let nudge = &session.nudge;
    for (name, items) in [
        ("ports", &["1", "2"][..]),
        ("tables", &["x"]),
        ("tables", &[]),
    ] {
        nudge
            .set_context(SetContext::new(name, items.iter().copied()))
            .unwrap();
    }
    for key in ["a", "b", "c", "d"] {
        nudge.propose(propose(key)).unwrap();
    }
    nudge.reject(Reject::new(4)).unwrap();
    nudge.accept(Accept::new(2)).unwrap();
    let fail = Bump::new("api", "b").outcome(Outcome::Fail).delta(2);
    let failed = nudge.bump(fail).unwrap().hint;
    let first = recover(&folder);
    first.compact();
    let second = recover(&folder);
    for next in [&first, &second] {
        assert_eq!(next.export(), session.export());
        assert_eq!(working_set(next), working_set(&session));
        assert_eq!(waiting(next), [1, 3]);
        let found = next.nudge.get_hint(GetHint::new("api", "b")).unwrap();
        assert_eq!(found.hint, failed);
    }
    // A number that somebody may have read means nothing else later on.
    assert_eq!(second.nudge.propose(propose("e")).unwrap().proposal.id, 5);
}
