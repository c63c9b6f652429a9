//! Any history, with its journal cut anywhere.

use chrono::TimeDelta;
use nudge::{Bump, Caller, DeleteHint, Error, Import, Nudge, Patch, Sensitivity, SetHint};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, to_value};

use super::super::Journal;
use super::super::replay::{apply, read};
use super::stage::{Session, begin, bytes, start};

const KEYS: [&str; 3] = ["build", "test", "run"];
const VALUES: [&str; 3] = ["make", "make \"all\" ü", ""];

/// What somebody does: what it is, to which key, and a number for the details.
type Step = (u8, usize, usize);

fn step() -> impl Strategy<Value = Step> {
    (0..13_u8, 0..KEYS.len(), 0..72_usize)
}

fn act(nudge: &Nudge, by: &Caller<'_>, (what, key, number): Step) -> Result<Value, Error> {
    let key = KEYS[key];
    let json = match what {
        0..=5 => {
            let mut request = SetHint::new("api", key, VALUES[number % 3]);
            if let Some(branch) = ["dev", "main"].get(number / 3 % 3) {
                request = request.branch(*branch);
            }
            let secrecy = [Sensitivity::Secret, Sensitivity::Normal];
            if let Some(secrecy) = secrecy.get(number / 9 % 4) {
                request.meta.sensitivity = Patch::Set(*secrecy);
            }
            if number >= 36 {
                request = request.ttl("PT20H".parse().unwrap());
            }
            to_value(nudge.ask(by, request)?)
        }
        6..=8 => to_value(nudge.ask(by, Bump::new("api", key))?),
        9 | 10 => to_value(nudge.ask(by, DeleteHint::new("api", key).all())?),
        11 => {
            let payload = r#"{"schema_version": "1.0", "components": {"web": {"hints": {
                "build": {"value": "npm run build"},
                "token": {"value": "swordfish", "meta": {"sensitivity": "secret"}}}}}}"#;
            to_value(nudge.ask(by, Import::new(payload).replace())?)
        }
        _ => to_value(nudge.sweep()?),
    };
    Ok(json.unwrap())
}

/// How the journal and the store were after a step.
struct Mark {
    length: usize,
    last_change: u64,
    hours: i64,
    export: String,
}

/// Plays a story, each step in the name of another client.
fn play(session: &Session, story: &[Step], length: impl Fn() -> usize) -> Vec<Mark> {
    let mut hours = (session.nudge.now() - start()).num_hours();
    let mark = |hours| Mark {
        length: length(),
        last_change: session.nudge.last_change(),
        hours,
        export: session.export(),
    };
    let mut marks = vec![mark(hours)];
    for (number, step) in story.iter().enumerate() {
        if step.0 == 12 {
            hours += i64::try_from(step.2 % 30).unwrap();
            session.turn(hours);
        }
        let id = format!("{}-{number}-1", session.nudge.last_change());
        // A refusal is a step that changes nothing.
        let _ = session.call(&id, |nudge, by| act(nudge, by, *step));
        marks.push(mark(hours));
    }
    marks
}

/// The mark that bytes up to a length are worth; none within the first head.
fn worth(marks: &[Mark], length: usize) -> Option<&Mark> {
    let worth = marks.iter().rfind(|mark| mark.length <= length);
    let first = marks.first().filter(|first| first.length / 2 <= length);
    worth.or(first)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_journal_that_is_cut_anywhere_is_worth_what_was_acknowledged_by_then(
        story in vec(step(), 0..10),
    ) {
        let (folder, session) = begin();
        let marks = play(&session, &story, || bytes(&folder).len());
        let journal = bytes(&folder);
        let ends = (0..journal.len()).filter(|at| journal[*at] == b'\n');
        for cut in ends.flat_map(|end| [end, end + 1, end + 2]) {
            let part = &journal[..cut.min(journal.len())];
            let Some(mark) = worth(&marks, cut) else { continue };
            let read = read(part, start() + TimeDelta::hours(mark.hours), &apply).unwrap();
            assert!(read.damaged.is_empty());
            let twin = Session::with(Journal::in_memory())
                .following(read.recovered(Vec::new()), mark.hours);
            assert_eq!(twin.export(), mark.export);
            assert_eq!(twin.nudge.last_change(), mark.last_change);
        }
    }

    #[test]
    fn what_was_acknowledged_survives_one_primary_after_another(
        stories in vec(vec(step(), 0..12), 1..4),
    ) {
        let (folder, mut session) = begin();
        for story in &stories {
            let marks = play(&session, story, || bytes(&folder).len());
            let last = marks.last().unwrap();
            session = Session::recover(folder.path(), last.hours).unwrap();
            assert_eq!(session.export(), last.export);
            assert_eq!(session.nudge.last_change(), last.last_change);
        }
    }
}
