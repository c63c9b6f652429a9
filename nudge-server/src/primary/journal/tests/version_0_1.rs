//! A journal that version 0.1 wrote goes on.

use std::collections::BTreeSet;
use std::fs;

use chrono::TimeDelta;
use nudge::{Change, Export, GetContext, ListProposals, SetHint};
use serde_json::{Value, json};

use super::super::{FORMAT, Journal, Journalled, record};
use super::stage::{Session, bytes, folder, path, start};
use crate::primary::events::to_event;

/// Written by version 0.1 in format 1: every kind of change, secrets of which it
/// tells only numbers, answers to requests, and until when it is kept.
const JOURNAL: &[u8] = include_bytes!("version_0_1.journal");

/// What version 0.1 itself made of it.
const STORE: &str = include_str!("version_0_1.json");

fn store(session: &Session) -> Value {
    let nudge = &session.nudge;
    let exported = serde_json::to_value(nudge.export(Export::new()).unwrap()).unwrap();
    json!({
        "last_change": nudge.last_change(),
        "components": exported["payload"]["components"],
        "proposals": nudge.list_proposals(ListProposals::default()).unwrap().proposals,
        "context_sets": nudge.get_context(GetContext::default()).unwrap().sets,
    })
}

#[test]
fn a_journal_of_version_0_1_is_read_and_goes_on_in_the_form_of_today() {
    let folder = folder();
    fs::write(path(&folder), JOURNAL).unwrap();
    let session = Session::take_over_at(folder.path(), 3).unwrap();
    let expected: Value = serde_json::from_str(STORE).unwrap();
    assert_eq!(store(&session), expected);
    for id in ["r-1", "r-2", "r-3", "r-4", "r-5", "r-6"] {
        assert!(session.journal.repeated(id).is_some(), "{id}");
    }
    let Journalled::Session(header, _) = record::read(&bytes(&folder)) else {
        panic!("nothing was written");
    };
    assert_eq!(header.format, FORMAT);

    let hint = SetHint::new("api", "run", "make run");
    session.nudge.set_hint(hint).unwrap();
    let next = Session::take_over_at(folder.path(), 3).unwrap();
    assert_eq!(store(&next), store(&session));
}

/// What a client of version 0.1 reads from `GET /events` stays as it was: there,
/// journal and events had one form.
#[test]
fn an_event_has_the_shape_that_version_0_1_gave_it() {
    let mut kinds = BTreeSet::new();
    let mut rest = JOURNAL;
    while let Some(payload) = record::payload(&mut rest) {
        let text = str::from_utf8(payload).unwrap();
        let mut record: Value = serde_json::from_str(&text.replace("door", "via")).unwrap();
        for old in record["changes"].as_array_mut().into_iter().flatten() {
            let change: Change = serde_json::from_value(old.clone()).unwrap();
            kinds.insert(old["what"].to_string());
            // What a secret takes the place of was deleted in the journal alone.
            if old["what"] == "delete" {
                old.as_object_mut().unwrap().remove("value_changed");
            }
            assert_eq!(to_event(&change), *old);
        }
    }
    assert_eq!(kinds.len(), 9);
}

#[test]
fn a_journal_of_version_0_1_is_kept_for_as_long_as_it_says() {
    for (hours, expected) in [(7, true), (8, false)] {
        let folder = folder();
        fs::write(path(&folder), JOURNAL).unwrap();
        let now = start() + TimeDelta::hours(hours);
        let taken = Journal::take_over(folder.path(), now, false).unwrap();
        assert_eq!(taken.is_some(), expected, "{hours} h");
    }
}
