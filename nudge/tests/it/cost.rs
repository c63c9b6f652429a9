//! What a call may take, whatever a store holds and a caller states.

use allocation_counter::measure;
use nudge::{
    Caller, Context, Error, ErrorKind, GetHint, HintValue, Name, Nudge, Operation, Propose, Query,
    SetContext, SetHint,
};
use serde_json::{Map, Value, json};

const MIB: u64 = 1 << 20;

/// A path of one long name, and a pattern that takes long with it.
fn endless() -> (String, String) {
    let path = format!("/{}", "a".repeat(2000));
    (path, format!("/{}b", "+(a|aa|?)".repeat(16)))
}

fn near_misses(error: &Error) -> Vec<Option<&str>> {
    let misses = error.data().near_misses.iter();
    misses.map(|miss| miss.fix.as_deref()).collect()
}

#[test]
fn what_is_too_large_to_be_a_fact_is_refused_by_every_call() {
    let nudge = Nudge::default();
    let repos = (0..1001).fold(Context::new(), |context, number| {
        context.repo(format!("git:acme/r{number}"))
    });
    for (context, field) in [
        (Context::new().repo("r".repeat(1025)), "repo"),
        (Context::new().env("V", &*"v".repeat(65_536)), "env"),
        (Context::new().file_open("a".repeat(4097)), "files_open"),
        (repos, "repo"),
    ] {
        let get = GetHint::new("api", "build").context(&context);
        let refusals = [
            nudge.get_hint(get).map(drop),
            nudge.query(Query::new().context(&context)).map(drop),
            nudge
                .set_hint(SetHint::new("api", "build", "make").context(&context))
                .map(drop),
        ];
        for refused in refusals {
            let refused = refused.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Invalid, "{field}");
            let at = format!("context.{field}");
            assert_eq!(refused.data().field.as_deref(), Some(&*at), "{refused}");
        }
    }
}

#[test]
fn a_near_miss_looks_at_32_folders_above() {
    let nudge = Nudge::default();
    let set = SetHint::new("api", "build", "make").cwd_glob("/work");
    nudge.set_hint(set).unwrap();
    for (depth, is_seen) in [(32, true), (33, false)] {
        let context = Context::new().cwd(format!("/work{}", "/a".repeat(depth)));
        let missed = nudge.get_hint(GetHint::new("api", "build").context(context));
        let missed = missed.unwrap_err();
        assert_eq!(near_misses(&missed)[0].is_some(), is_seen, "{depth}");
    }
}

#[test]
fn a_call_gives_up_on_patterns_and_says_so() {
    let (path, pattern) = endless();
    let nudge = Nudge::default();
    for number in 0..150 {
        let set = SetHint::new("api", format!("k{number}"), "make");
        nudge.set_hint(set.cwd_glob(&pattern)).unwrap();
    }
    // By name it is behind all of those.
    let plain = SetHint::new("web", "build", "make").cwd_glob("/a*");
    nudge.set_hint(plain).unwrap();
    let context = Context::new().cwd(&path);
    let got = nudge.get_hint(GetHint::new("web", "build").context(&context));
    assert!(got.is_ok(), "what others hold is of no account for a get");
    let query = Query::new().context(&context).include_ineligible();
    let found = nudge.query(query.limit(100)).unwrap();
    assert_eq!(found.total + found.scoped_out, 151);
    let ineligible = found.ineligible.unwrap();
    let fixes = ineligible
        .iter()
        .map(|one| one.near_misses[0].fix.as_deref());
    let is_said = |fix: Option<&str>| fix.is_some_and(|fix| fix.contains("too long"));
    assert!(fixes.into_iter().all(is_said));
    // The next call has as much as this one had.
    let got = nudge.get_hint(GetHint::new("web", "build").context(&context));
    assert!(got.is_ok());
}

#[test]
fn a_slot_with_endless_variants_answers_with_the_others() {
    let (path, pattern) = endless();
    let nudge = Nudge::default();
    for number in 0..100 {
        let set = SetHint::new("api", "build", "make").cwd_glob(format!("{pattern}{number}"));
        nudge.set_hint(set).unwrap();
    }
    let context = Context::new().cwd(&path);
    let missed = nudge.get_hint(GetHint::new("api", "build").context(&context));
    let missed = missed.unwrap_err();
    let fixes = near_misses(&missed);
    assert_eq!(fixes.len(), 20);
    let is_said = |fix: Option<&str>| fix.is_some_and(|fix| fix.contains("too long"));
    assert!(fixes.iter().copied().all(is_said), "{fixes:?}");
}

#[test]
fn words_that_every_hint_of_a_full_store_has_are_found() {
    let nudge = Nudge::default();
    for number in 0..5_000 {
        let (component, key) = (format!("c{}", number / 50), format!("k{number}"));
        let set = SetHint::new(component, key, "make compose-images builds");
        let set = set.tags(["docker", "web", "registry", "release", "nightly", "arm"]);
        nudge.set_hint(set).unwrap();
    }
    let found = nudge.query(Query::new().text("compose image build"));
    assert_eq!(found.unwrap().total, 5_000);
}

#[test]
fn lists_that_nobody_can_mean_are_refused_or_read_once() {
    let nudge = Nudge::default();
    let same = vec![Name::from("a"); 100_000];
    let set = SetHint::new("api", "build", "make").tags(same.clone());
    let set = nudge.set_hint(set).unwrap();
    assert_eq!(set.hint.meta.tags[..], [Name::from("a")]);
    let query = same.iter().cloned().fold(Query::new(), Query::tag);
    let found = nudge.query(query).unwrap();
    assert_eq!(found.total, 1);
    let sets = SetContext::new("files", vec!["a"; 100_000]);
    let refused = nudge.set_context(sets).unwrap_err();
    assert_eq!(refused.data().detail.as_deref(), Some("too_many"));
}

/// Makes a hint of its kind.
type Make<'a> = &'a dyn Fn(SetHint, usize) -> SetHint;

#[test]
fn a_full_store_takes_no_more_memory_than_it_may() {
    let numbers = Value::from(vec![0; 4_000]);
    let fields: Map<String, Value> = (0..700).map(|n| (format!("f{n}"), n.into())).collect();
    let groups = format!("/{}", "+(a|b|c|d|e|f|g)".repeat(15));
    let json = |mut set: SetHint, data: &Value| {
        set.value = HintValue::Json(Box::new(data.clone()));
        set
    };
    let fields = Value::from(fields);
    let ways: [(&str, Make<'_>); 4] = [
        ("long values", &|set, _| set),
        ("numbers", &|set, _| json(set, &numbers)),
        ("fields", &|set, _| json(set, &fields)),
        ("patterns", &|set, number| {
            (0..64).fold(set, |set, other| {
                set.cwd_glob(format!("{groups}{number}x{other}"))
            })
        }),
    ];
    for (name, make) in ways {
        let taken = measure(|| {
            let nudge = Nudge::default();
            let is_full = (0..5_000).any(|number| {
                let component = format!("c{}", number / 200);
                let set = SetHint::new(component, format!("k{number}"), "x y ".repeat(2_000));
                nudge.set_hint(make(set, number)).is_err()
            });
            assert!(is_full, "{name}");
        });
        let most = (64 + 32) * MIB;
        assert!(taken.bytes_max <= most, "{name}: {}", taken.bytes_max);
    }
}

#[test]
fn a_body_takes_memory_in_proportion_to_its_size() {
    let nudge = Nudge::default();
    let names: Vec<String> = (0..100_000).map(|number| format!("n{number}")).collect();
    let list = serde_json::to_string(&names).unwrap();
    for (operation, fields) in [
        (
            Operation::SetHint,
            r#"SLOT,"value":"make","meta":{"tags":LIST}"#,
        ),
        (
            Operation::SetHint,
            r#"SLOT,"value":"make","meta":{"scope":{"cwd_glob":LIST}}"#,
        ),
        (
            Operation::SetHint,
            r#"SLOT,"value":{"type":"json","data":LIST}"#,
        ),
        (Operation::GetHint, r#"SLOT,"context":{"repo":LIST}"#),
        (Operation::GetHint, r#"SLOT,"context":{"files_open":LIST}"#),
        (Operation::Query, r#""keys":LIST"#),
        (Operation::Query, r#""tags":LIST"#),
        (Operation::SetContext, r#""sets":{"files":LIST}"#),
    ] {
        let fields = fields.replace("SLOT", r#""component":"api","key":"build""#);
        let body = format!("{{{}}}", fields.replace("LIST", &list));
        let taken = measure(|| {
            let _ = nudge.call(&Caller::user(), operation, body.as_bytes(), &mut Vec::new());
        });
        let most = 32 * body.len() as u64;
        let taken = taken.bytes_max;
        assert!(taken <= most, "{operation:?}: {taken}");
    }
}

#[test]
fn what_stands_beside_the_hints_has_its_limits_too() {
    let groups = format!("/{}", "+(a|b|c|d|e|f|g)".repeat(15));
    let nudge = Nudge::default();
    let taken = measure(|| {
        for client in 0..10 {
            let name = format!("bot-{client}");
            let agent = Caller::agent(&name);
            for number in 0..10 {
                let set = SetHint::new("api", format!("k{number}"), "x y ".repeat(2_000));
                let set = (0..64).fold(set, |set, other| {
                    set.cwd_glob(format!("{groups}{client}x{number}x{other}"))
                });
                let propose = Propose::new(set, "why");
                let _ = nudge.ask(&agent, propose);
            }
        }
    });
    let taken = taken.bytes_current;
    assert!(taken <= 24 * MIB.cast_signed(), "{taken}");
}

#[test]
fn an_import_takes_no_more_memory_than_a_full_store() {
    let groups = format!("/{}", "+(a|b|c|d|e|f|g)".repeat(15));
    let mut components = json!({});
    for number in 0..450 {
        let globs = (0..64).map(|other| format!("{groups}{number}x{other}"));
        let scope = json!({"cwd_glob": globs.collect::<Vec<_>>()});
        let hint = json!({"value": "make", "meta": {"scope": scope}});
        components[format!("c{}", number / 100)]["hints"][format!("k{number}")] = hint;
    }
    let payload = json!({"schema_version": "1.0", "components": components});
    let body = json!({"payload": payload}).to_string();
    drop(payload);
    let nudge = Nudge::default();
    let taken = measure(|| {
        for _ in 0..2 {
            let out = &mut Vec::new();
            let done = nudge.call(&Caller::user(), Operation::Import, body.as_bytes(), out);
            done.unwrap();
        }
    });
    assert!(nudge.stats().hints > 50);
    let (max, current) = (taken.bytes_max, taken.bytes_current);
    assert!(max <= (64 + 32) * MIB, "{max}");
    assert!(current <= 64 * MIB.cast_signed(), "{current}");
}
