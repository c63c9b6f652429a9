//! Stories as their sink sees them: every change once, in order, and enough.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use nudge::{Change, Error, ErrorKind, Limits, Query, SetHint, WithSecrets};
use proptest::prelude::*;

use super::cases;
use super::stage::{Stage, json, story};
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
        let answer = |stage: &Stage| json(&stage.nudge.query(query.clone()).unwrap()).to_string();
        let twin = stage.twin();
        twin.nudge.replay(journal.lock().unwrap().drain(..));
        prop_assert_eq!(answer(&twin), answer(&stage));
    }

    #[test]
    fn changes_are_numbered_without_a_gap(story in story(40)) {
        let (mut stage, journal) = recorded();
        for step in &story {
            let _ = stage.play(step);
        }
        let journal = journal.lock().unwrap();
        for (expected, change) in (1..).zip(&*journal) {
            prop_assert_eq!(change.seq, expected);
        }
        prop_assert_eq!(stage.nudge.last_change(), journal.len() as u64);
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
fn a_replayed_store_is_not_earlier_than_its_last_change() {
    let (mut stage, journal) = recorded();
    let set = |key: &str| SetHint::new("api", key, "make");
    stage
        .nudge
        .set_hint(set("build").ttl("PT1H".parse().unwrap()))
        .unwrap();
    stage.turn(2 * 60 * 60 * 1000);
    stage.nudge.set_hint(set("run")).unwrap();
    assert_eq!(stage.nudge.stats().hints, 1);
    // Another process takes over, on a machine whose clock was set back.
    let twin = Stage::new(Limits::default());
    twin.nudge.replay(journal.lock().unwrap().drain(..));
    assert_eq!(
        twin.nudge.stats().hints,
        1,
        "a step back revived a dead hint"
    );
}
