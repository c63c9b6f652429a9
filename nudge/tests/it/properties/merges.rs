//! What machines say to each other: in whichever order it is merged, and however often, the same
//! comes of it.

use std::sync::Arc;

use nudge::{
    Caller, Clock, Config, DeleteHint, Export, Import, ManualClock, Merge, Nudge, SetHint, Ttl,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases;

/// What a machine has, as it goes to others.
type Files = Vec<String>;

fn store() -> Nudge {
    Nudge::new(Config {
        keep: true,
        ..Config::default()
    })
}

fn merge(store: &Nudge, machine: &str, files: &[Files]) -> Files {
    for file in files.iter().flatten() {
        let merge = Merge::new(machine).payload(file.as_str());
        store.ask(&Caller::user(), merge).unwrap();
    }
    let merged = store.ask(&Caller::user(), Merge::new(machine));
    let files = merged.unwrap().files.unwrap().into_values();
    files
        .map(|file| serde_json::to_string(&file).unwrap())
        .collect()
}

fn merged(files: &[Files]) -> Files {
    merge(&store(), "z", files)
}

/// Some of what a machine could say: hints and marks of a few names and stamps, so that many meet.
fn files() -> impl Strategy<Value = Files> {
    let stamp = (1..5_u64, 0..3_u8).prop_map(
        |(counter, machine)| json!({"counter": counter, "machine": format!("m{machine}"), "at": "2025-11-04T10:00:00.000Z"}),
    );
    let said = (0..3_u8, 0..2_u8, 0..4_u8, 0..2_u8, stamp);
    prop::collection::vec(said, 0..6).prop_map(|all| {
        let (mut hints, mut marks) = (serde_json::Map::new(), Vec::new());
        for (key, value, kind, place, stamp) in all {
            let key = format!("k{key}");
            let scope = json!({"repo": [format!("git:acme/r{place}")]});
            if kind < 2 {
                let meta = json!({"source": "user", "scope": scope});
                let hint = json!({"value": format!("v{value}"), "meta": meta, "stamp": stamp});
                // No machine of ours says two things of one hint, but a file may.
                let several = hints.entry(key).or_insert_with(|| json!([]));
                several.as_array_mut().unwrap().push(hint);
                continue;
            }
            let mut mark = json!({"component": "api", "key": key, "value": "",
                "marked_at": "2025-11-04T10:00:00.000Z", "stamp": stamp});
            if kind == 2 {
                mark["scope"] = scope;
            } else {
                mark["value"] = format!("{value:016x}").into();
                mark["repo"] = format!("git:acme/r{place}").into();
                mark["wanted"] = (value == 0).into();
            }
            marks.push(mark);
        }
        let components = json!({"api": {"hints": hints}});
        vec![json!({"schema_version": "1.1", "components": components, "marks": marks}).to_string()]
    })
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn merging_is_commutative_associative_and_idempotent(a in files(), b in files(), c in files()) {
        let at_once = merged(&[a.clone(), b.clone(), c.clone()]);
        prop_assert_eq!(&merged(&[c.clone(), a.clone(), b.clone()]), &at_once);
        let left = merged(&[merged(&[a.clone(), b.clone()]), c.clone()]);
        let right = merged(&[a, merged(&[b, c])]);
        prop_assert_eq!(&left, &at_once);
        prop_assert_eq!(&right, &at_once);
        prop_assert_eq!(&merged(&[at_once.clone(), at_once.clone()]), &at_once);
        // One after the other, and again what is known already.
        let one = store();
        for files in [&left, &right, &left] {
            merge(&one, "z", std::slice::from_ref(files));
        }
        let last = one.last_change();
        prop_assert_eq!(&merge(&one, "z", &[left, right]), &at_once);
        prop_assert_eq!(one.last_change(), last);
    }

    #[test]
    fn machines_come_to_rest_with_the_last_word_of_each(
        steps in prop::collection::vec((0..3_usize, 0..8_u8, 0..2_u8, 0..4_u8), 0..40)
    ) {
        let begin: chrono::DateTime<chrono::Utc> = "2025-11-04T10:00:00Z".parse().unwrap();
        let machines: Vec<(Nudge, Arc<ManualClock>)> = [0, -5, 7].map(|hours| {
            let clock = Arc::new(ManualClock::at(begin));
            clock.set(begin + chrono::TimeDelta::hours(hours));
            (store().with_clock(Arc::clone(&clock)).with_undo(), clock)
        }).into();
        let names = ["m0", "m1", "m2"];
        let mut sent: Vec<Files> = vec![Files::new(); 3];
        for (at, what, key, value) in steps {
            let (nudge, clock) = &machines[at];
            clock.set(clock.now() + chrono::TimeDelta::seconds(1));
            let (key, value) = (format!("k{key}"), format!("v{value}"));
            let set = SetHint::new("api", key.clone(), value);
            // What is not there cannot be deleted or undone.
            let _ = match what {
                0 | 1 => nudge.set_hint(set).map(drop),
                2 => nudge.set_hint(set.ttl(Ttl::SESSION)).map(drop),
                3 => nudge.delete_hint(DeleteHint::new("api", key)).map(drop),
                4 => nudge.undo(&Caller::user()).map(drop),
                5 => {
                    let export = nudge.export(Export::new()).unwrap().payload;
                    nudge.import(Import::new(export).replace()).map(drop)
                }
                _ => {
                    sent[at] = merge(nudge, names[at], &sent);
                    Ok(())
                }
            };
        }
        for at in [0, 1, 2, 0, 1, 2] {
            sent[at] = merge(&machines[at].0, names[at], &sent);
        }
        // What one of them says for its session, it says to nobody.
        let rest: Vec<Value> = sent.iter().map(|files| json!(files)).collect();
        let for_now = |nudge: &Nudge| nudge.ending(&Caller::user()).ended > 0;
        if !machines.iter().any(|(nudge, _)| for_now(nudge)) {
            prop_assert_eq!(&rest[0], &rest[1]);
            prop_assert_eq!(&rest[1], &rest[2]);
        }
        for (at, (nudge, _)) in machines.iter().enumerate() {
            let last = nudge.last_change();
            prop_assert_eq!(&merge(nudge, names[at], &sent), &sent[at]);
            prop_assert_eq!(nudge.last_change(), last);
        }
    }
}
