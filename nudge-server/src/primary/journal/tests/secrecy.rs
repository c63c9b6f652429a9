//! Hints that are marked as secret never reach the disk.

use nudge::{
    Accept, Bump, DeleteHint, ErrorKind, GetHint, ListProposals, Patch, Propose, Reject,
    Sensitivity, SetHint, Source,
};
use tempfile::TempDir;

use super::stage::{Session, bytes, folder};

fn token(value: &str) -> SetHint {
    SetHint::new("api", "token", value)
}

fn open(value: &str) -> SetHint {
    let mut request = token(value);
    request.meta.sensitivity = Patch::Set(Sensitivity::Normal);
    request
}

fn says(folder: &TempDir, word: &str) -> bool {
    let bytes = bytes(folder);
    bytes
        .windows(word.len())
        .any(|part| part == word.as_bytes())
}

fn value(session: &Session) -> Result<String, ErrorKind> {
    let found = session.nudge.get_hint(GetHint::new("api", "token"));
    found
        .map(|found| found.hint.value.text().into_owned())
        .map_err(|error| error.kind())
}

#[test]
fn nothing_about_a_secret_is_ever_in_the_file() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let nudge = &session.nudge;
    let secret = || token("swordfish").secret();
    let check = |when: &str| {
        assert!(!says(&folder, "swordfish"), "{when}");
        assert!(!says(&folder, "token"), "{when}");
    };
    session
        .call("r-1", |nudge, by| nudge.ask(by, secret()))
        .unwrap();
    check("after a set");
    nudge.set_hint(secret().reason("why")).unwrap();
    check("after another");
    session
        .call("r-2", |nudge, by| nudge.ask(by, Bump::new("api", "token")))
        .unwrap();
    check("after a bump");
    nudge.standing(|changes| session.journal.compact(&changes));
    check("after a compaction");
    session
        .call("r-3", |nudge, by| {
            nudge.ask(by, DeleteHint::new("api", "token"))
        })
        .unwrap();
    check("after a delete");
    assert!(!says(&folder, "r-"), "a call was remembered");
    // What went by unseen is still counted, so that no number comes twice.
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(next.nudge.last_change(), 4);
    check("after a take-over");
}

#[test]
fn a_secret_in_the_place_of_an_open_value_does_not_let_that_come_back() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(token("hello")).unwrap();
    session.nudge.set_hint(token("swordfish").secret()).unwrap();
    assert!(!says(&folder, "swordfish"));
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(value(&next), Err(ErrorKind::NotFound));
}

#[test]
fn an_open_value_in_the_place_of_a_secret_is_kept() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(token("swordfish").secret()).unwrap();
    session
        .call("r-1", |nudge, by| nudge.ask(by, open("hello")))
        .unwrap();
    assert!(!says(&folder, "swordfish"));
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(value(&next).unwrap(), "hello");
    assert!(next.journal.repeated("r-1").is_some());
    // It is open from then on, and its removal is written.
    next.nudge
        .delete_hint(DeleteHint::new("api", "token"))
        .unwrap();
    let last = Session::take_over(folder.path()).unwrap();
    assert_eq!(value(&last), Err(ErrorKind::NotFound));
}

#[test]
fn a_repeated_call_about_a_secret_is_known_to_its_own_primary_alone() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let secret = || token("swordfish").secret();
    for _ in 0..2 {
        let answer = session.call("r-1", |nudge, by| nudge.ask(by, secret()));
        assert!(answer.unwrap().get().contains("\"version\":1"));
    }
    let next = Session::take_over(folder.path()).unwrap();
    assert!(next.journal.repeated("r-1").is_none());
}

fn propose(value: &str) -> Propose {
    Propose::new(token(value).secret(), "it worked")
}

fn waiting(session: &Session) -> Vec<u64> {
    let waiting = session
        .nudge
        .list_proposals(ListProposals::default())
        .unwrap();
    let numbers = waiting.proposals.iter().map(|proposal| proposal.id);
    numbers.collect()
}

#[test]
fn nothing_about_a_secret_proposal_is_ever_in_the_file() {
    let folder = folder();
    let session = Session::begin(folder.path());
    let check = |when: &str| {
        for word in ["swordfish", "token", "it worked", "r-"] {
            assert!(!says(&folder, word), "{word} {when}");
        }
    };
    session
        .call("r-1", |nudge, by| nudge.ask(by, propose("swordfish")))
        .unwrap();
    check("after a proposal");
    let nudge = &session.nudge;
    nudge.standing(|changes| session.journal.compact(&changes));
    check("after a compaction");
    session
        .call("r-2", |nudge, by| nudge.ask(by, Reject::new(1)))
        .unwrap();
    check("after it was rejected");
    nudge.propose(propose("swordfish")).unwrap();
    session
        .call("r-3", |nudge, by| nudge.ask(by, Accept::new(2)))
        .unwrap();
    check("after it was accepted");
    nudge.propose(propose("swordfish 3")).unwrap();
    // It ends with its PRIMARY, and its number with it.
    let next = Session::take_over(folder.path()).unwrap();
    check("after a take-over");
    assert_eq!(waiting(&next), [0; 0]);
    assert_eq!(next.nudge.propose(propose("x")).unwrap().proposal.id, 4);
}

#[test]
fn what_stands_against_a_proposal_is_not_told_if_it_is_a_secret() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(token("swordfish").secret()).unwrap();
    let answer = session.call("r-1", |nudge, by| {
        nudge.ask(by, open("hello").source(Source::Agent))
    });
    assert!(answer.unwrap().get().contains("swordfish"));
    assert!(!says(&folder, "swordfish"));
    assert!(!says(&folder, "r-1"));
    // The secret is still known as one, and its removal tells nothing of it.
    session
        .call("r-2", |nudge, by| {
            nudge.ask(by, DeleteHint::new("api", "token"))
        })
        .unwrap();
    assert!(!says(&folder, "swordfish"));
    // What the user deletes, nobody has to decide about any more.
    let next = Session::take_over(folder.path()).unwrap();
    assert!(waiting(&next).is_empty());
}

#[test]
fn a_secret_proposal_does_not_make_a_secret_of_what_stands() {
    let folder = folder();
    let session = Session::begin(folder.path());
    session.nudge.set_hint(open("hello")).unwrap();
    session.nudge.propose(propose("swordfish")).unwrap();
    session
        .nudge
        .delete_hint(DeleteHint::new("api", "token"))
        .unwrap();
    let next = Session::take_over(folder.path()).unwrap();
    assert_eq!(value(&next), Err(ErrorKind::NotFound));
}
