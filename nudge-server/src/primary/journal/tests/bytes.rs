//! Any history, with its journal cut or rotten at any byte.

use std::fs;

use chrono::TimeDelta;
use nudge::{Bump, Caller, Config, DeleteHint, Import, ManualClock, Nudge, Sensitivity, SetHint};
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::record::{Journalled, read};
use super::super::recover;
use super::stage::{Session, bytes, export, folder, path, start};

const KEYS: [&str; 3] = ["build", "test", "run"];
const VALUES: [&str; 3] = ["make", "make \"all\" ü", ""];
const BRANCHES: [&str; 2] = ["dev", "main"];

/// What somebody does.
#[derive(Debug, Clone)]
enum Step {
    Set {
        key: usize,
        value: usize,
        branch: Option<usize>,
        secret: Option<bool>,
        ttl: bool,
    },
    Bump(usize),
    Delete(usize),
    Replace,
    /// Hours later, what is dead is swept away.
    Sweep(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let key = || 0..KEYS.len();
    let secret = prop_oneof![3 => Just(None), 1 => any::<bool>().prop_map(Some)];
    let branch = proptest::option::of(0..BRANCHES.len());
    let set = (key(), 0..VALUES.len(), branch, secret, any::<bool>());
    prop_oneof![
        6 => set.prop_map(|(key, value, branch, secret, ttl)| {
            Step::Set { key, value, branch, secret, ttl }
        }),
        3 => key().prop_map(Step::Bump),
        2 => key().prop_map(Step::Delete),
        1 => Just(Step::Replace),
        1 => (0..30_i64).prop_map(Step::Sweep),
    ]
}

/// How the journal and the store were after a step.
#[derive(Debug)]
struct Mark {
    length: usize,
    last_change: u64,
    hours: i64,
    export: String,
    /// The request ids that the journal knows by then.
    known: Vec<String>,
}

/// Plays a story in the name of one request after another.
fn play(
    session: &Session,
    (name, mut hours): (&str, i64),
    story: &[Step],
    length: impl Fn() -> usize,
) -> Vec<Mark> {
    let mark = |hours, known: &[String]| Mark {
        length: length(),
        last_change: session.nudge.last_change(),
        hours,
        export: session.export(),
        known: known.to_vec(),
    };
    let mut known = Vec::new();
    let mut marks = vec![mark(hours, &known)];
    for (number, step) in story.iter().enumerate() {
        let id = format!("{name}-{number}");
        if let Step::Sweep(later) = step {
            hours += later;
            session.turn(hours);
        }
        // A refusal is a step that changes nothing.
        let _ = session.call(&id, |nudge, by| do_step(nudge, by, step));
        if bytes_hold(session, &id) {
            known.push(id);
        }
        marks.push(mark(hours, &known));
    }
    marks
}

fn do_step(nudge: &Nudge, by: &Caller<'_>, step: &Step) -> Result<serde_json::Value, nudge::Error> {
    let json = |answer| serde_json::to_value(answer).unwrap();
    Ok(match step {
        Step::Set {
            key,
            value,
            branch,
            secret,
            ttl,
        } => {
            let mut request = SetHint::new("api", KEYS[*key], VALUES[*value]);
            if let Some(branch) = branch {
                request = request.branch(BRANCHES[*branch]);
            }
            if let Some(secret) = secret {
                let word = if *secret {
                    Sensitivity::Secret
                } else {
                    Sensitivity::Normal
                };
                request.meta.sensitivity = nudge::Patch::Set(word);
            }
            if *ttl {
                request = request.ttl("PT20H".parse().unwrap());
            }
            json(nudge.ask(by, request)?)
        }
        Step::Bump(key) => {
            serde_json::to_value(nudge.ask(by, Bump::new("api", KEYS[*key]))?).unwrap()
        }
        Step::Delete(key) => {
            let request = DeleteHint::new("api", KEYS[*key]).all();
            serde_json::to_value(nudge.ask(by, request)?).unwrap()
        }
        Step::Replace => {
            let payload = r#"{"schema_version": "1.0", "components": {"web": {"hints": {
                "build": {"value": "npm run build"},
                "token": {"value": "swordfish", "meta": {"sensitivity": "secret"}}}}}}"#;
            serde_json::to_value(nudge.ask(by, Import::new(payload).replace())?).unwrap()
        }
        Step::Sweep(_) => nudge.sweep()?.into(),
    })
}

/// Whether the answer of a call may be, and is, in the journal.
fn bytes_hold(session: &Session, id: &str) -> bool {
    let answers = session.journal.answers.lock();
    answers.writable().any(|kept| kept.id == id)
}

/// Checks that a part of a journal is worth what the store was at its mark.
fn check(part: &[u8], mark: &Mark) {
    let Journalled::Session(header, entries) = read(part) else {
        panic!("{} bytes have no header", part.len());
    };
    let now = start() + TimeDelta::hours(mark.hours);
    let (recovered, answers) = recover(&header, entries, now);
    let known: Vec<String> = answers.writable().map(|kept| kept.id).collect();
    assert_eq!(known, mark.known);
    let config = Config {
        session_id: Some(recovered.session_id),
        ..Config::default()
    };
    let twin = Nudge::new(config).with_clock(ManualClock::at(now));
    twin.resume(recovered.created_at, recovered.last_change);
    twin.replay(recovered.changes);
    assert_eq!(export(&twin), mark.export);
    assert_eq!(twin.last_change(), mark.last_change);
}

fn entries(part: &[u8]) -> Option<usize> {
    match read(part) {
        Journalled::Session(_, entries) => Some(entries.len()),
        _ => None,
    }
}

/// The mark that bytes up to a length are worth; none within the header.
fn worth(marks: &[Mark], length: usize) -> Option<&Mark> {
    marks.iter().rfind(|mark| mark.length <= length)
}

/// How many records after the header are whole.
fn records(marks: &[Mark], length: usize) -> Option<usize> {
    let mut lengths: Vec<usize> = marks.iter().map(|mark| mark.length).collect();
    lengths.dedup();
    let whole = lengths.iter().filter(|end| **end <= length).count();
    whole.checked_sub(1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_journal_that_is_cut_anywhere_is_worth_what_was_acknowledged_by_then(
        story in vec(step(), 0..10),
    ) {
        let folder = folder();
        let session = Session::begin(folder.path());
        let marks = play(&session, ("r", 0), &story, || bytes(&folder).len());
        let journal = bytes(&folder);
        let mut checked = None;
        for cut in 0..=journal.len() {
            let part = &journal[..cut];
            let found = entries(part);
            assert_eq!(found, records(&marks, cut), "cut at {cut}");
            if let Some(mark) = worth(&marks, cut).filter(|_| checked != found) {
                check(part, mark);
                checked = found;
            }
        }
    }

    #[test]
    fn a_journal_that_is_rotten_anywhere_is_worth_what_comes_before(
        story in vec(step(), 1..8),
        mask in 1..=255_u8,
    ) {
        let folder = folder();
        let session = Session::begin(folder.path());
        let marks = play(&session, ("r", 0), &story, || bytes(&folder).len());
        let mut journal = bytes(&folder);
        for rotten in 0..journal.len() {
            journal[rotten] ^= mask;
            let found = entries(&journal);
            assert_eq!(found, records(&marks, rotten), "rotten at {rotten}");
            journal[rotten] ^= mask;
        }
    }

    #[test]
    fn what_was_acknowledged_survives_one_primary_after_another(
        stories in vec(vec(step(), 0..12), 1..4),
    ) {
        let folder = folder();
        let mut session = Session::begin(folder.path());
        let mut hours = 0;
        for (number, story) in stories.iter().enumerate() {
            let name = format!("r-{number}");
            let marks = play(&session, (&name, hours), story, || bytes(&folder).len());
            let last = marks.last().unwrap();
            hours = last.hours;
            session = Session::take_over_at(folder.path(), hours).unwrap();
            assert_eq!(session.export(), last.export);
            assert_eq!(session.nudge.last_change(), last.last_change);
        }
    }

    #[test]
    fn bytes_of_somebody_else_are_no_journal(garbage in vec(any::<u8>(), 0..200)) {
        assert_eq!(entries(&garbage), None);
    }
}

#[test]
fn a_server_takes_over_from_a_file_that_is_cut_anywhere() {
    let first = folder();
    let session = Session::begin(first.path());
    let story = [
        Step::Set {
            key: 0,
            value: 1,
            branch: Some(0),
            secret: None,
            ttl: true,
        },
        Step::Bump(0),
        Step::Delete(0),
    ];
    let marks = play(&session, ("r", 0), &story, || bytes(&first).len());
    let journal = bytes(&first);
    let second = folder();
    for cut in 0..=journal.len() {
        fs::write(path(&second), &journal[..cut]).unwrap();
        let taken = Session::take_over(second.path());
        let exported = taken.map(|session| session.export());
        let expected = worth(&marks, cut).map(|mark| mark.export.clone());
        assert_eq!(exported, expected, "cut at {cut}");
    }
}
