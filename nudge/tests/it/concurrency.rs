//! Many threads on one store: nothing lost, nothing torn, nobody stuck.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread;

use chrono::{DateTime, Utc};
use nudge::{
    Bump, Change, ChangeKind, Clock, Context, DeleteHint, Error, ErrorKind, Export, GetHint, Hint,
    Import, ListComponents, Nudge, Query, SetHint,
};

const THREADS: usize = 8;
const ROUNDS: usize = 60;

/// Runs the same on every thread, each with its number.
fn on_all_threads(run: impl Fn(usize) + Sync) {
    let run = &run;
    thread::scope(|scope| {
        for number in 0..THREADS {
            scope.spawn(move || run(number));
        }
    });
}

fn set(nudge: &Nudge, hint: SetHint) {
    nudge.set_hint(hint).unwrap();
}

/// A store with one hint, and whoever is asked before every change.
fn building(sink: impl Fn(&[Change]) -> Result<(), Error> + Send + Sync + 'static) -> Nudge {
    let nudge = Nudge::default().with_sink(sink);
    set(&nudge, SetHint::new("api", "build", "make"));
    nudge
}

fn get(nudge: &Nudge) -> Arc<Hint> {
    nudge.get_hint(GetHint::new("api", "build")).unwrap().hint
}

#[test]
fn no_bump_is_lost() {
    let nudge = building(|_| Ok(()));
    on_all_threads(|_| {
        for _ in 0..ROUNDS {
            nudge.bump(Bump::new("api", "build")).unwrap();
        }
    });
    assert_eq!(get(&nudge).use_count, (THREADS * ROUNDS) as u64);
    assert_eq!(get(&nudge).version, 1);
}

#[test]
fn a_version_is_won_by_one_writer_only() {
    let nudge = Nudge::default();
    nudge.set_hint(SetHint::new("api", "build", "0")).unwrap();
    on_all_threads(|number| {
        for round in 0..ROUNDS {
            let value = format!("{number}:{round}");
            // Whoever loses has lost to somebody who won, so this ends.
            loop {
                let set = SetHint::new("api", "build", &*value);
                let set = nudge.set_hint(set.if_match_version(get(&nudge).version));
                match set {
                    Ok(set) => break assert_eq!(set.hint.value.as_str(), Some(&*value)),
                    Err(error) => assert_eq!(error.kind(), ErrorKind::Conflict),
                }
            }
        }
    });
    assert_eq!(get(&nudge).version, (THREADS * ROUNDS) as u64 + 1);
}

#[test]
fn only_one_thread_creates() {
    for round in 0..ROUNDS {
        let nudge = Nudge::default();
        let created = Mutex::new(0);
        on_all_threads(|_| {
            let set = SetHint::new("api", "build", "make").if_match_version(0);
            match nudge.set_hint(set) {
                Ok(_) => *created.lock().unwrap() += 1,
                Err(error) => assert_eq!(error.data().current_version, Some(1)),
            }
        });
        assert_eq!(created.into_inner().unwrap(), 1, "round {round}");
    }
}

#[test]
fn a_reader_sees_whole_hints() {
    let nudge = Nudge::default();
    let set = |version: u64| {
        let text = version.to_string();
        let set = SetHint::new("api", "build", &*text).reason(&*text);
        nudge.set_hint(set.tags([&*text])).unwrap();
    };
    let is_whole = |hint: &Hint| {
        let version = hint.version.to_string();
        hint.value.as_str() == Some(&*version)
            && hint.meta.reason.as_deref() == Some(&*version)
            && hint.meta.tags[0] == *version
    };
    set(1);
    let done = AtomicBool::new(false);
    on_all_threads(|number| {
        if number == 0 {
            (2..=200).for_each(set);
            done.store(true, Ordering::Release);
        } else {
            let mut last = 0;
            while !done.load(Ordering::Acquire) {
                let hint = get(&nudge);
                assert!(is_whole(&hint));
                assert!(hint.version >= last, "a version came back");
                last = hint.version;
                // The index of texts moves with the hint.
                let found = nudge.query(Query::new().regex("^[0-9]+$")).unwrap();
                assert_eq!(found.total, 1);
                assert!(is_whole(&found.hints[0].hint));
                let export = serde_json::to_value(nudge.export(Export::new()).unwrap()).unwrap();
                let hint = &export["payload"]["components"]["api"]["hints"]["build"];
                assert_eq!(hint["value"], hint["version"].to_string());
            }
        }
    });
}

#[test]
fn a_replacement_is_seen_whole_or_not_at_all() {
    let payload = |value: &str| {
        let one = Nudge::default();
        for key in 0..8 {
            let key = format!("key-{key}");
            one.set_hint(SetHint::new("api", key, value).tags(["all"]))
                .unwrap();
        }
        serde_json::to_string(&one.export(Export::new()).unwrap().payload).unwrap()
    };
    let payloads = [payload("old"), payload("new")];
    let nudge = Nudge::default();
    nudge.import(Import::new(&*payloads[0])).unwrap();
    let done = AtomicBool::new(false);
    let queries = [
        Query::new(),
        Query::new().component("api"),
        Query::new().tag("all"),
        Query::new().regex("old|new"),
    ];
    on_all_threads(|number| {
        if number == 0 {
            for round in 1..=30 {
                nudge
                    .import(Import::new(&*payloads[round % 2]).replace())
                    .unwrap();
            }
            done.store(true, Ordering::Release);
        } else {
            while !done.load(Ordering::Acquire) {
                let query = queries[number % queries.len()].clone();
                let found = nudge.query(query.limit(100)).unwrap();
                assert_eq!(found.total, 8);
                let first = &found.hints[0].hint.value;
                assert!(found.hints.iter().all(|ranked| ranked.hint.value == *first));
                assert_eq!(nudge.stats().hints, 8);
            }
        }
    });
}

/// A clock that is a millisecond later each time it is asked, so that what
/// is to expire does so in every run.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0.fetch_add(1, Ordering::Relaxed)).unwrap()
    }
}

fn ticking() -> Nudge {
    Nudge::default().with_clock(Ticking(AtomicI64::new(1_762_250_400_000)))
}

/// One call of each kind, so that every lock is taken in every order.
fn everything(nudge: &Nudge, number: usize, payload: &str) {
    let own = format!("key-{number}");
    let here = Context::new().branch("dev");
    let branch = ["dev", "main"][number % 2];
    let shared = SetHint::new("api", "shared", format!("make {number}"));
    set(nudge, shared.branch(branch));
    let brief = SetHint::new("api", &*own, "make");
    set(nudge, brief.ttl("PT0.001S".parse().unwrap()));
    let _ = nudge.get_hint(GetHint::new("api", "shared").context(&here).alternatives(3));
    let _ = nudge.bump(Bump::new("api", "shared").context(&here));
    let all = Query::new().regex("mak.|^key").include_ineligible();
    for query in [all, Query::new().component("api").context(&here)] {
        nudge.query(query).unwrap();
    }
    nudge.list_components(ListComponents::new()).unwrap();
    nudge.export(Export::new()).unwrap();
    nudge.import(Import::new(payload)).unwrap();
    nudge.import(Import::new(payload).dry_run()).unwrap();
    let _ = nudge.delete_hint(DeleteHint::new("api", &*own));
    let _ = nudge.delete_hint(DeleteHint::new("web", "seed").all());
    nudge.sweep().unwrap();
    let _ = (nudge.stats(), nudge.env_names(), nudge.last_change());
    if number == 0 {
        nudge.import(Import::new(payload).replace()).unwrap();
    }
}

const SEED: &str = r#"{"schema_version": "1.0", "components": {"web": {"hints":
    {"seed": {"value": "npm start", "meta": {"scope": {"env_required": ["CI"]}}}}}}}"#;

#[test]
fn all_operations_go_together() {
    let nudge = ticking();
    on_all_threads(|number| {
        for _ in 0..ROUNDS {
            everything(&nudge, number, SEED);
        }
    });
    let stats = nudge.stats();
    let found = nudge.query(Query::new().limit(100)).unwrap();
    assert_eq!(found.total + found.scoped_out, stats.hints);
}

#[test]
fn a_sink_sees_every_change_once_and_may_read_the_store() {
    let journal = Arc::new(Mutex::new(Vec::<Change>::new()));
    let store: Arc<OnceLock<Weak<Nudge>>> = Arc::default();
    let (sink, reads) = (Arc::clone(&journal), Arc::clone(&store));
    let nudge = Arc::new(ticking().with_sink(move |changes: &[Change]| {
        if let Some(nudge) = reads.get().and_then(Weak::upgrade) {
            let found = nudge.query(Query::new().regex("make").limit(100)).unwrap();
            assert!(found.hints.len() <= found.total);
            assert!(nudge.last_change() < changes[0].seq);
            let _ = nudge.get_hint(GetHint::new("api", "shared"));
            nudge.export(Export::new()).unwrap();
            nudge.list_components(ListComponents::of("api")).unwrap();
        }
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    }));
    store.set(Arc::downgrade(&nudge)).unwrap();
    on_all_threads(|number| {
        for _ in 0..ROUNDS / 3 {
            everything(&nudge, number, SEED);
        }
    });
    let journal = journal.lock().unwrap();
    let mut numbered = journal.iter().zip(1..);
    assert!(numbered.all(|(change, seq)| change.seq == seq));
    assert_eq!(nudge.last_change(), journal.len() as u64);
    let expired = |change: &Change| matches!(change.kind, ChangeKind::Expire(_));
    assert!(journal.iter().any(expired));
    let twin = Nudge::default();
    let now = nudge.now().to_rfc3339();
    for store in [&*nudge, &twin] {
        store.pin_clock(Some(&now)).unwrap();
    }
    twin.replay(journal.iter().cloned());
    let hints = |nudge: &Nudge| {
        let export = serde_json::to_value(nudge.export(Export::new()).unwrap()).unwrap();
        export["payload"]["components"].to_string()
    };
    nudge.sweep().unwrap();
    twin.sweep().unwrap();
    assert_eq!(hints(&twin), hints(&nudge));
}

#[test]
fn a_sink_that_panics_spoils_nothing_for_others() {
    let nudge = building(|changes: &[Change]| {
        let (_, key) = changes[0].kind.slot().unwrap();
        assert!(key != "bad", "this sink cannot take that");
        Ok(())
    });
    thread::scope(|scope| {
        let mut panicked = 0;
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                let nudge = &nudge;
                scope.spawn(move || {
                    for _ in 0..ROUNDS {
                        nudge.bump(Bump::new("api", "build")).unwrap();
                    }
                    if number.is_multiple_of(2) {
                        nudge.set_hint(SetHint::new("api", "bad", "make")).unwrap();
                    }
                })
            })
            .collect();
        for thread in threads {
            panicked += usize::from(thread.join().is_err());
        }
        assert_eq!(panicked, THREADS / 2);
    });
    assert_eq!(get(&nudge).use_count, (THREADS * ROUNDS) as u64);
    // What a panic refused took no number.
    assert_eq!(nudge.last_change(), (THREADS * ROUNDS) as u64 + 1);
    assert!(nudge.get_hint(GetHint::new("api", "bad")).is_err());
    set(&nudge, SetHint::new("api", "run", "make run"));
    assert_eq!(nudge.stats().hints, 2);
}
