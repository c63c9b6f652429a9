//! Three homes and a bare repository: whatever happens in whichever order, nothing that was pushed
//! is lost, nothing that was deleted comes back, and all come to rest with the same bytes.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Caller, Clock, Context, DeleteHint, Event, Export, Import, ManualClock, SetHint};
use proptest::prelude::*;
use serde_json::Value;

use super::{Home, bare, store};
use crate::checkout::git;
use crate::process::folder;

/// The counter and the machine of what was last said of each hint or mark.
type Last = BTreeMap<String, (u64, String)>;

/// Notes what a machine says, and where it is the last word so far.
fn note(last: &mut Last, files: &[String]) {
    for file in files {
        let file: Value = serde_json::from_str(file).unwrap();
        let mut put = |name: String, stamp: &Value| {
            let machine = stamp["machine"].as_str().unwrap().to_owned();
            let stamp = (stamp["counter"].as_u64().unwrap(), machine);
            let known = last.entry(name).or_default();
            if *known < stamp {
                *known = stamp;
            }
        };
        for (key, hint) in file["components"]["api"]["hints"]
            .as_object()
            .into_iter()
            .flatten()
        {
            put(format!("{key} {}", hint["meta"]["scope"]), &hint["stamp"]);
        }
        for mark in file["marks"].as_array().into_iter().flatten() {
            let of = [&mark["scope"], &mark["repo"], &mark["value"]].map(ToString::to_string);
            let of = if mark["value"] == "" {
                of[0].clone()
            } else {
                of.join(" ")
            };
            put(
                format!("{} {of}", mark["key"].as_str().unwrap()),
                &mark["stamp"],
            );
        }
    }
}

fn interleave(steps: &[(usize, u8, u8, u8)]) {
    let all = folder();
    let bare = bare(all.path());
    let begin: DateTime<Utc> = "2025-11-04T10:00:00Z".parse().unwrap();
    let mut clocks = Vec::new();
    let mut homes: Vec<Home> = Vec::new();
    for (at, hours) in [0, -5, 7].into_iter().enumerate() {
        let clock = Arc::new(ManualClock::at(begin + TimeDelta::hours(hours)));
        let mut home = Home::new(all.path().join(format!("h{at}")), &bare);
        home.store = store().with_clock(Arc::clone(&clock)).with_undo();
        clocks.push(clock);
        homes.push(home);
    }
    let stale = std::fs::read(homes[0].folder.join("sync.json")).unwrap();
    let mut pushed = Last::new();
    let here = Context::new()
        .repo("git:github.com/acme/api")
        .cwd("/w/api")
        .root("/w/api")
        .branch("main");
    for (at, what, key, value) in steps.iter().copied() {
        let (clock, home) = (&clocks[at], &mut homes[at]);
        clock.set(clock.now() + TimeDelta::seconds(1));
        let (key, value) = (format!("k{key}"), format!("v{value}"));
        // What is not there can be neither deleted nor taken back.
        let _ = match what {
            0..3 => home
                .store
                .set_hint(SetHint::new("api", key, value))
                .map(drop),
            3 => {
                let ran = Event::after_command(format!("make {value} test")).exit_code(0);
                home.store.on_event(ran.context(&here)).map(drop)
            }
            4 => home
                .store
                .delete_hint(DeleteHint::new("api", key))
                .map(drop),
            5 => home.store.undo(&Caller::user()).map(drop),
            6 => {
                let export = home.store.export(Export::new()).unwrap().payload;
                home.store.import(Import::new(export).replace()).map(drop)
            }
            // `nudge purge --all`, and sync on again.
            7 => {
                std::fs::remove_dir_all(&home.folder).unwrap();
                let clock = Arc::clone(clock);
                *home = Home::new(home.folder.clone(), &bare);
                home.store = store().with_clock(clock).with_undo();
                Ok(())
            }
            // A home from a backup: what it remembers of its rounds is old.
            8 => {
                std::fs::write(home.folder.join("sync.json"), &stale).unwrap();
                Ok(())
            }
            // The server goes away in the middle.
            9 => {
                let left = Cell::new(key.len() + usize::from(value.as_bytes()[1] % 3));
                let _ = home.sync_if(&|| left.replace(left.get().saturating_sub(1)) > 0);
                Ok(())
            }
            // A copy of another home, with its memory and its name.
            10 if at > 0 => {
                let clock = Arc::clone(clock);
                let twin = store().with_clock(clock).with_undo();
                homes[0].store.standing(|changes| twin.replay(changes));
                let its_name = homes[0].folder.join("sync.json");
                std::fs::copy(its_name, homes[at].folder.join("sync.json")).unwrap();
                homes[at].store = twin;
                Ok(())
            }
            _ => {
                home.sync();
                note(&mut pushed, &home.files());
                Ok(())
            }
        };
    }
    for home in homes.iter().chain(&homes) {
        home.sync();
    }
    let rest: Vec<Vec<String>> = homes.iter().map(Home::files).collect();
    assert_eq!(rest[0], rest[1]);
    assert_eq!(rest[1], rest[2]);
    let mut last = Last::new();
    note(&mut last, &rest[0]);
    for (name, stamp) in &pushed {
        let now = last.get(name);
        assert!(now >= Some(stamp), "{name}: {stamp:?}, then {now:?}");
    }
    let refs = git(&bare, "for-each-ref");
    for home in &homes {
        assert!(!home.sync().has_pushed);
    }
    assert_eq!(git(&bare, "for-each-ref"), refs);
}

fn steps() -> impl Strategy<Value = Vec<(usize, u8, u8, u8)>> {
    prop::collection::vec((0..3_usize, 0..16_u8, 0..3_u8, 0..4_u8), 0..16)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_nothing_deleted_comes_back(steps in steps()) {
        interleave(&steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "it takes minutes; `make soak` runs it"]
    fn nothing_is_lost_in_a_thousand_orders(steps in steps()) {
        interleave(&steps);
    }
}
