//! A journal that is damaged anywhere.

use std::fs;

use nudge::{Bump, Import, SetHint};
use serde_json::{Value, json};

use super::super::record::{Piece, pieces};
use super::super::replay::{Apply, apply, read};
use super::super::{Journal, Refusal};
use super::stage::{Session, begin, bytes, path, recover, start};

/// A session of three operations, one of them of several changes.
fn three() -> (tempfile::TempDir, Vec<u8>) {
    let (folder, session) = begin();
    let set = |key: &str| SetHint::new("api", key, "make");
    session.nudge.set_hint(set("first")).unwrap();
    let payload = r#"{"schema_version": "1.0", "components": {"web": {"hints": {
        "a": {"value": "x"}, "b": {"value": "x"}, "c": {"value": "x"}}}}}"#;
    session.nudge.import(Import::new(payload)).unwrap();
    session.nudge.set_hint(set("last")).unwrap();
    let bytes = bytes(&folder);
    (folder, bytes)
}

#[test]
fn damage_anywhere_hits_one_record_and_no_other() {
    let (folder, _) = three();
    let session = recover(&folder);
    session.ask("c-1", Bump::new("api", "last")).unwrap();
    let journal = bytes(&folder);
    let records = whole(&journal);
    let mut damaged = journal.clone();
    let mut hit = 0;
    for at in 0..journal.len() {
        for byte in [journal[at] ^ 1, journal[at] ^ 0x80, b'\n', 0x1E, 0, b'{'] {
            if byte != journal[at] {
                damaged[at] = byte;
                let others = (0..records.len()).filter(|number| *number != hit);
                let others: Vec<&[u8]> = others.map(|number| records[number]).collect();
                assert_eq!(whole(&damaged), others, "{byte} at {at}");
            }
        }
        damaged[at] = journal[at];
        hit += usize::from(journal[at] == b'\n');
    }
}

#[test]
fn bytes_of_somebody_else_are_damage() {
    for (garbage, is_empty) in [
        ("", true),
        ("torn", true),
        ("\x1e0000\n", false),
        ("a\n\n", false),
    ] {
        let read = read(garbage.as_bytes(), start(), &apply).unwrap();
        assert_eq!(
            read.damaged.concat(),
            if is_empty { "" } else { garbage }.as_bytes()
        );
        assert_eq!(read.is_empty, is_empty);
    }
}

/// The places of the ends of records.
fn ends(journal: &[u8]) -> Vec<usize> {
    let ends = (0..journal.len()).filter(|at| journal[*at] == b'\n');
    ends.collect()
}

/// The whole records of a journal.
fn whole(part: &[u8]) -> Vec<&[u8]> {
    let whole = |(piece, _)| match piece {
        Piece::Whole(json) => Some(json),
        _ => None,
    };
    pieces(part).filter_map(whole).collect()
}

/// The keys of what bytes come to.
fn keys(part: &[u8]) -> Vec<String> {
    let recovered = read(part, start(), &apply).unwrap().recovered(Vec::new());
    let twin = Session::with(Journal::in_memory()).following(recovered, 0);
    let exported: Value = serde_json::from_str(&twin.export()).unwrap();
    let components = exported["components"].as_object().unwrap().values();
    let keys = components.flat_map(|one| one["hints"].as_object().unwrap().keys().cloned());
    keys.collect()
}

#[test]
fn an_operation_that_was_half_written_does_not_count_and_a_damaged_one_loses_a_record() {
    let (_, journal) = three();
    let ends = ends(&journal);
    assert_eq!(ends.len(), 7, "two heads, and one change a record");
    for end in ends[2]..journal.len() {
        let expected: &[&str] = match end {
            end if end < ends[5] => &["first"],
            end if end < ends[6] => &["first", "a", "b", "c"],
            _ => &["first", "last", "a", "b", "c"],
        };
        assert_eq!(keys(&journal[..=end]), expected, "cut after {end}");
    }
    for (hit, expected) in [
        (2, ["last", "a", "b", "c"]),
        (3, ["first", "last", "b", "c"]),
        (4, ["first", "last", "a", "c"]),
        (5, ["first", "last", "a", "b"]),
    ] {
        for at in ends[hit - 1] + 1..=ends[hit] {
            let mut damaged = journal.clone();
            damaged[at] ^= 0x40;
            assert_eq!(keys(&damaged), expected, "{at}");
            // Also where nothing comes after it but its own end.
            damaged.truncate(ends[5] + 1);
            if at != ends[5] {
                let last = expected.iter().filter(|key| **key != "last");
                assert!(last.eq(&keys(&damaged)), "{at}");
            }
        }
    }
}

#[test]
fn damage_is_left_beside_and_told_once() {
    let (folder, mut journal) = three();
    let ends = ends(&journal);
    let hit = journal[ends[2] + 1..=ends[3]].to_vec();
    journal[ends[2] + 1] = b'x';
    // A record that is whole and says nothing that is known.
    let unknown = br#"{"change":{"seq":9,"at":"2025-11-04T10:00:00Z","what":"dance"}}"#;
    let unknown = framed(unknown);
    journal.extend_from_slice(&unknown);
    fs::write(path(&folder), &journal).unwrap();
    let recover = |apply: &Apply<'_>| {
        let found = Journal::recover_with(folder.path(), start(), apply).unwrap();
        found.unwrap().1
    };
    // And one that panics.
    let recovered = recover(&|store, change| {
        let key = change.kind.slot().map(|(_, key)| key.to_string());
        assert_ne!(key.as_deref(), Some("last"), "a bug");
        apply(store, change);
    });
    assert_eq!(
        recovered.notices,
        [
            "3 damaged parts of the journal were left out; what is left of it is in `session.journal.damaged`"
        ]
    );
    assert_eq!(recovered.last_change, 5);
    let beside = fs::read(folder.path().join("session.journal.damaged")).unwrap();
    let last = &journal[ends[5] + 1..=ends[6]];
    assert_eq!(beside, [b"x", &hit[1..], last, &unknown].concat());
    let again = recover(&apply);
    assert_eq!(again.notices, [""; 0]);
    assert_eq!(again.changes.len(), 4);
}

/// A record of some JSON.
fn framed(json: &[u8]) -> Vec<u8> {
    let checksum = format!("\x1e{:08x}", crc32fast::hash(json));
    [checksum.as_bytes(), json, b"\n"].concat()
}

#[test]
fn the_records_count_without_their_heads_and_one_head_is_enough() {
    let (folder, journal) = three();
    let head = journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for hits in [vec![3], vec![head + 3], vec![3, head + 3]] {
        let mut damaged = journal.clone();
        for at in &hits {
            damaged[*at] ^= 1;
        }
        fs::write(path(&folder), &damaged).unwrap();
        let (_, recovered) = Journal::recover(folder.path(), start()).unwrap().unwrap();
        assert_eq!(recovered.changes.len(), 6);
        let has_head = hits.len() < 2;
        assert_eq!(recovered.session_id == "s-1", has_head);
        assert_eq!(recovered.settings.is_some(), has_head);
        assert!(recovered.session_id.len() > 2);
        assert_eq!(recovered.created_at, start());
    }
}

#[test]
fn of_several_heads_the_last_counts() {
    let (folder, session) = begin();
    let settings = json!({"guard": true});
    session.journal.append_head(settings.clone()).unwrap();
    let hint = SetHint::new("api", "build", "make");
    session.nudge.set_hint(hint).unwrap();
    for _ in 0..2 {
        let (_, recovered) = Journal::recover(folder.path(), start()).unwrap().unwrap();
        assert_eq!(recovered.settings.as_ref(), Some(&settings));
        assert_eq!(
            (&*recovered.session_id, recovered.changes.len()),
            ("s-1", 2)
        );
    }
}

#[test]
fn a_format_of_another_version_is_refused_and_left_alone() {
    let (folder, journal) = three();
    // In the first head, in a later one, and in one whose fields are others.
    let same = br#"{"format":4,"session_id":"s-1","created_at":0,"settings":null}"#;
    let other = br#"{"format":4,"session_id":{},"change":7}"#;
    for newer in [
        framed(same),
        [&journal[..], &framed(same)].concat(),
        [&journal[..], &framed(other)].concat(),
    ] {
        fs::write(path(&folder), &newer).unwrap();
        let refused = Journal::recover(folder.path(), start()).unwrap_err();
        assert!(matches!(refused, Refusal::Format(4)));
        assert_eq!(
            refused.to_string(),
            "the journal has the format `4`, not 3; start the version of nudge that wrote it, or remove it"
        );
        assert_eq!(bytes(&folder), newer);
    }
}
