//! Stories as their sink sees them: every change once, in order, and enough.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use nudge::{
    Bump, Caller, Change, ChangeKind, DeleteHint, Error, ErrorKind, Export, GetHint, Limits,
    ListComponents, Nudge, Propose, Query, SetHint, Via, WithSecrets,
};
use proptest::prelude::*;
use serde_json::json;

use super::cases;
use super::stage::{Stage, json as to_json, story};
use crate::model::story::{PLACES, REGEXES, TAGS};

type Journal = Arc<Mutex<Vec<Change>>>;

/// A stage whose changes are written down.
fn recorded() -> (Stage, Journal) {
    let journal = Journal::default();
    let sink = Arc::clone(&journal);
    let stage = Stage::new(Limits::default()).with_sink(move |changes: &[Change]| {
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    });
    (stage, journal)
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn replaying_the_changes_makes_the_same_store(story in story(40)) {
        let (mut stage, journal) = recorded();
        for step in &story {
            let _ = stage.play(step);
        }
        let changes = journal.lock().unwrap().clone();
        prop_assert!(changes.iter().zip(1..).all(|(change, seq)| change.seq == seq));
        prop_assert_eq!(stage.nudge.last_change(), changes.len() as u64);
        let written: Vec<Change> = changes
            .iter()
            .map(|change| serde_json::from_str(&serde_json::to_string(&WithSecrets(change)).unwrap()).unwrap())
            .collect();
        prop_assert_eq!(&written, &changes);
        for changes in [changes, written] {
            let twin = stage.twin();
            twin.nudge.replay(changes);
            prop_assert_eq!(twin.nudge.last_change(), stage.nudge.last_change());
            prop_assert_eq!(twin.everything(), stage.everything());
        }
    }

    #[test]
    fn what_stands_makes_the_same_store(story in story(40)) {
        let mut stage = Stage::new(Limits::default());
        for step in &story {
            let _ = stage.play(step);
        }
        let twin = stage.twin();
        stage.nudge.standing(|changes| twin.nudge.replay(changes));
        prop_assert_eq!(twin.nudge.last_change(), stage.nudge.last_change());
        prop_assert_eq!(twin.everything(), stage.everything());
    }

    #[test]
    fn a_replayed_store_answers_with_the_same_bytes(
        story in story(40),
        place in 0..PLACES.len(),
        tag in proptest::option::of(0..TAGS.len()),
        regex in proptest::option::of(0..REGEXES.len()),
        limit in 1..20_u32,
    ) {
        let (mut stage, journal) = recorded();
        for step in &story {
            let _ = stage.play(step);
        }
        let mut query = Query::new().context(PLACES[place].context()).limit(limit);
        query = query.include_ineligible();
        query.tags = tag.iter().map(|tag| TAGS[*tag].into()).collect();
        query.regex = regex.map(|regex| REGEXES[regex].to_owned());
        let answer = |stage: &Stage| to_json(&stage.nudge.query(query.clone()).unwrap()).to_string();
        let twin = stage.twin();
        twin.nudge.replay(journal.lock().unwrap().drain(..));
        prop_assert_eq!(answer(&twin), answer(&stage));
    }

    #[test]
    fn a_sink_that_refuses_leaves_everything_as_it_was(
        story in story(40),
        refusals in proptest::collection::vec(any::<bool>(), 40),
    ) {
        let asked = Arc::new(AtomicUsize::new(0));
        let journal = Journal::default();
        let (count, sink) = (Arc::clone(&asked), Arc::clone(&journal));
        let mut stage = Stage::new(Limits::default()).with_sink(move |changes: &[Change]| {
            if refusals[count.fetch_add(1, Ordering::SeqCst) % refusals.len()] {
                return Err(Error::new(ErrorKind::Unavailable, "the journal is full"));
            }
            sink.lock().unwrap().extend_from_slice(changes);
            Ok(())
        });
        for step in &story {
            let before = stage.everything();
            let outcome = stage.play(step);
            if outcome.is_err_and(|reason| reason.starts_with("E_UNAVAILABLE")) {
                prop_assert_eq!(stage.everything(), before);
            }
        }
        let changes = journal.lock().unwrap().clone();
        prop_assert!(changes.iter().zip(1..).all(|(change, seq)| change.seq == seq));
        let twin = stage.twin();
        twin.nudge.replay(changes);
        prop_assert_eq!(twin.everything(), stage.everything());
    }
}

#[test]
fn a_time_later_than_now_is_replayed_as_now() {
    let (mut stage, journal) = recorded();
    stage.turn(2 * 60 * 60 * 1000);
    let hint = SetHint::new("api", "build", "make").ttl("PT1H".parse().unwrap());
    let terminal = Caller::user().via(Via::Cli);
    stage.nudge.ask(&terminal, hint).unwrap();
    stage.nudge.bump(Bump::new("api", "build")).unwrap();
    // Another process goes on, on a machine whose clock was set back.
    let mut twin = Stage::new(Limits::default());
    let now = twin.nudge.now();
    twin.nudge.replay(journal.lock().unwrap().drain(..));
    let get = GetHint::new("api", "build");
    let found = twin.nudge.get_hint(get.clone()).unwrap().hint;
    assert_eq!((found.created_at, found.updated_at), (now, now));
    assert_eq!(found.last_used_at, Some(now));
    assert_eq!(found.meta.origin.as_ref().unwrap().at, Some(now));
    assert_eq!(twin.nudge.now(), now);
    twin.turn(60 * 60 * 1000);
    assert!(twin.nudge.get_hint(get).is_err());
}

/// The change after which a secret is lost.
fn lost(key: &str) -> Change {
    let change = json!({"seq": 1, "at": "2025-11-04T10:00:00Z", "what": "lost", "component": "api", "key": key});
    serde_json::from_value(change).unwrap()
}

fn refusal(nudge: &Nudge, key: &str) -> String {
    let refusal = nudge.get_hint(GetHint::new("api", key)).unwrap_err();
    assert_eq!(refusal.data().detail.as_deref(), Some("no_slot"));
    refusal.to_string()
}

#[test]
fn a_get_tells_of_a_lost_secret_and_nothing_else_does() {
    let nudge = Nudge::default();
    nudge.replay([lost("token")]);
    let words = "`api/token` is gone: a secret was here; set it again";
    assert_eq!(refusal(&nudge, "token"), words);
    // What stands tells it on.
    let twin = Nudge::default();
    nudge.standing(|changes| twin.replay(changes));
    assert_eq!(refusal(&twin, "token"), words);
    assert_eq!((twin.stats().hints, twin.holds_secrets()), (0, false));
    let listed = twin.list_components(ListComponents::new()).unwrap();
    assert!(listed.components.is_empty());
    assert_eq!(twin.query(Query::new()).unwrap().total, 0);
    let exported = twin.export(Export::new()).unwrap();
    assert_eq!(exported.secrets_left_out, 0);
    assert!(!to_json(&exported).to_string().contains("token"));
}

#[test]
fn a_lost_secret_is_forgotten_with_the_next_set_or_delete_of_its_slot() {
    let (stage, journal) = recorded();
    stage
        .nudge
        .set_hint(SetHint::new("api", "token", "x"))
        .unwrap();
    stage
        .nudge
        .delete_hint(DeleteHint::new("api", "token"))
        .unwrap();
    let changes = journal.lock().unwrap().clone();
    let clear =
        serde_json::from_value(json!({"seq": 2, "at": "2025-11-04T10:00:00Z", "what": "clear"}));
    let deletes = |change: &&Change| matches!(change.kind, ChangeKind::Delete(_));
    let delete = changes.iter().find(deletes).unwrap().clone();
    for last in [changes, vec![delete], vec![clear.unwrap()]] {
        let nudge = Nudge::default();
        nudge.replay([lost("token"), lost("other")]);
        let clears = last[0].kind == ChangeKind::Clear;
        nudge.replay(last);
        assert!(!refusal(&nudge, "token").contains("a secret was here"));
        assert_eq!(
            refusal(&nudge, "other").contains("a secret was here"),
            !clears
        );
    }
}

#[test]
fn a_proposed_secret_is_held_as_well() {
    let nudge = Nudge::default();
    assert!(!nudge.holds_secrets());
    let hint = SetHint::new("api", "token", "swordfish").secret();
    nudge.propose(Propose::new(hint, "it worked")).unwrap();
    assert!(nudge.holds_secrets());
}
