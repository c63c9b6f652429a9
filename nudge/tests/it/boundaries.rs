//! The last that holds and the first that does not, where properties seldom look.

#![expect(clippy::unwrap_used, reason = "what cannot be set up has failed")]

use std::sync::Arc;

use nudge::{
    Actor, Bump, Caller, Change, ChangeKind, Command, Config, Context, ErrorKind, GetHint, Limits,
};
use nudge::{ManualClock, Nudge, Os, PathValue, Scope, SetHint};

fn at(time: &str) -> chrono::DateTime<chrono::Utc> {
    time.parse().unwrap()
}

#[test]
fn a_value_is_measured_as_the_json_it_is() {
    let limits = Limits {
        value_bytes: 10,
        ..Limits::default()
    };
    let nudge = Nudge::new(Config {
        limits,
        ..Config::default()
    });
    let set = |value: nudge::HintValue| {
        let bytes = serde_json::to_string(&value).unwrap().len();
        let set = nudge.set_hint(SetHint::new("api", "build", value));
        (bytes, set.map_err(|error| error.kind()).err())
    };
    assert_eq!(set("12345678".into()), (10, None));
    assert_eq!(set("123456789".into()), (11, Some(ErrorKind::Quota)));
    assert_eq!(set("\n\n\n\n\n".into()), (12, Some(ErrorKind::Quota)));
    assert_eq!(set(Command::new("ls").into()), (29, Some(ErrorKind::Quota)));
}

#[test]
fn only_live_scopes_have_names_of_variables() {
    let clock = Arc::new(ManualClock::at(at("2025-11-04T10:00:00Z")));
    let nudge = Nudge::default().with_clock(Arc::clone(&clock));
    let set = |key: &str, name: &str| {
        SetHint::new("api", key, "make").scope(Scope::new().env_required(name))
    };
    nudge.set_hint(set("build", "CI")).unwrap();
    let dead = nudge
        .set_hint(set("run", "MODE").ttl("PT1H".parse().unwrap()))
        .unwrap();
    assert_eq!(nudge.env_names(), ["CI", "MODE"]);
    clock.set(at("2025-11-04T11:00:00Z"));
    nudge.sweep().unwrap();
    // A hint that somebody still holds in hand is not in the store.
    assert_eq!(dead.hint.version, 1);
    assert_eq!(nudge.env_names(), ["CI"]);
}

#[test]
fn what_has_expired_is_not_offered_instead() {
    let clock = Arc::new(ManualClock::at(at("2025-11-04T10:00:00Z")));
    let nudge = Nudge::default().with_clock(Arc::clone(&clock));
    nudge
        .set_hint(SetHint::new("api", "build", "make").ttl("PT1H".parse().unwrap()))
        .unwrap();
    nudge
        .set_hint(SetHint::new("web", "run", "make run").ttl("PT1H".parse().unwrap()))
        .unwrap();
    nudge
        .set_hint(SetHint::new("web", "test", "make test"))
        .unwrap();
    clock.set(at("2025-11-04T11:00:00Z"));
    let message = |component: &str, key: &str| {
        let got = nudge.get_hint(GetHint::new(component, key));
        got.unwrap_err().to_string()
    };
    assert!(
        !message("web", "rum").contains("`run`"),
        "{}",
        message("web", "rum")
    );
    assert!(
        !message("apy", "build").contains("`api`"),
        "{}",
        message("apy", "build")
    );
}

#[test]
fn a_path_takes_its_variant_along_when_it_is_narrowed() {
    let nudge = Nudge::default();
    nudge
        .set_hint(SetHint::new("api", "directory", "/code"))
        .unwrap();
    let path = PathValue::new("/code/api").os([Os::Linux]);
    let set = nudge
        .set_hint(SetHint::new("api", "directory", path))
        .unwrap();
    assert_eq!((set.created, set.hint.version, set.variants), (false, 2, 1));
    assert_eq!(nudge.stats().hints, 1);
    let get = |os| nudge.get_hint(GetHint::new("api", "directory").context(Context::new().os(os)));
    assert!(get(Os::Linux).is_ok());
    assert!(get(Os::Darwin).is_err());
}

#[test]
fn a_disjoint_path_names_its_own_field() {
    let path = PathValue::new("/code").os([Os::Linux]);
    let set = SetHint::new("api", "directory", path).os(Os::Darwin);
    let error = Nudge::default().set_hint(set).unwrap_err();
    assert_eq!(error.data().field.as_deref(), Some("value.os"));
}

#[test]
fn a_share_is_compared_without_case_after_a_trip_through_json() {
    let nudge = Nudge::default();
    let set = SetHint::new("api", "build", "make").cwd_glob("/nas/code/*");
    nudge.set_hint(set).unwrap();
    let here = Context::new().cwd(r"\\NAS\Code\api");
    let again: Context = serde_json::from_value(serde_json::to_value(&here).unwrap()).unwrap();
    for context in [here, again] {
        let got = nudge.get_hint(GetHint::new("api", "build").context(&context));
        assert!(got.is_ok(), "{context:?}");
    }
}

#[test]
fn an_error_lists_twenty_near_misses() {
    let nudge = Nudge::default();
    let misses = |most: usize| {
        for number in 0..most {
            let branch = format!("branch-{number}");
            nudge
                .set_hint(SetHint::new("api", "build", "make").branch(branch))
                .unwrap();
        }
        let error = nudge.get_hint(GetHint::new("api", "build")).unwrap_err();
        error.data().near_misses.len()
    };
    assert_eq!(misses(20), 20);
    assert_eq!(misses(21), 20);
}

#[test]
fn equal_scopes_share_one_gate() {
    let nudge = Nudge::default();
    let matcher = |key: &str, scope: Scope| {
        let set = nudge.set_hint(SetHint::new("api", key, "make").scope(scope));
        set.unwrap().hint.meta.scope.clone().unwrap()
    };
    let one = matcher("build", Scope::new().branch("dev").branch("main"));
    let other = matcher(
        "test",
        Scope::new().branch("main").branch("dev").branch("dev"),
    );
    assert!(Arc::ptr_eq(&one, &other));
    assert!(!Arc::ptr_eq(
        &one,
        &matcher("run", Scope::new().branch("dev"))
    ));
}

#[test]
fn a_clock_that_is_pinned_at_the_start_may_show_the_past_and_never_runs_backwards() {
    let nudge = Nudge::default();
    let set = |key: &str| {
        let set = nudge.set_hint(SetHint::new("api", key, "make"));
        set.unwrap().hint.updated_at
    };
    nudge.pin_clock(Some("2025-11-04T10:00:00Z")).unwrap();
    let export = nudge.export(nudge::Export::new()).unwrap();
    let export = serde_json::to_value(export).unwrap();
    assert_eq!(export["payload"]["created_at"], "2025-11-04T10:00:00.000Z");
    assert_eq!(set("a"), at("2025-11-04T10:00:00Z"));
    nudge.pin_clock(Some("2025-11-04T09:59:59.999Z")).unwrap();
    assert_eq!(set("b"), at("2025-11-04T10:00:00Z"));
    nudge.pin_clock(Some("2025-11-04T10:00:00.001Z")).unwrap();
    assert_eq!(set("c"), at("2025-11-04T10:00:00.001Z"));
    nudge.pin_clock(None).unwrap();
    assert!(set("d") > at("2026-01-01T00:00:00Z"));
    let error = nudge.pin_clock(Some("yesterday")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

/// What a hook set under a key.
fn learned(nudge: &Nudge, key: i64) {
    let set = SetHint::new("api", format!("k{key}"), "make");
    nudge
        .ask(&Caller::agent("codex").actor(Actor::Hook), set)
        .unwrap();
}

#[test]
fn of_more_than_5000_learned_hints_the_one_unused_longest_goes() {
    let clock = Arc::new(ManualClock::at(at("2025-11-04T10:00:00Z")));
    let nudge = Nudge::default().with_clock(Arc::clone(&clock));
    let has = |key: &str| nudge.get_hint(GetHint::new("api", key)).is_ok();
    for key in 0..5_000 {
        clock.set(at("2025-11-04T10:00:00Z") + chrono::TimeDelta::milliseconds(key));
        learned(&nudge, key);
    }
    nudge.bump(Bump::new("api", "k0")).unwrap();
    assert_eq!(nudge.stats().hints, 5_000);
    learned(&nudge, 5_000);
    assert_eq!(nudge.stats().hints, 5_000);
    assert_eq!((has("k0"), has("k1"), has("k2")), (true, false, true));
    // What is not learned has its own limit.
    nudge
        .set_hint(SetHint::new("web", "build", "make"))
        .unwrap();
    assert_eq!(nudge.stats().hints, 5_001);
}

#[test]
fn of_more_than_20000_marks_the_oldest_go() {
    let nudge = Nudge::default();
    let mark = |(number, time): (u64, i64)| {
        let value = format!("{number:016x}");
        let json = serde_json::json!({
            "seq": number, "at": "2025-11-04T10:00:00Z", "what": "mark", "marked_at": (at("2025-11-04T10:00:00Z") + chrono::TimeDelta::seconds(time)).to_rfc3339(),
            "component": "api", "key": format!("k{}", number % 7), "value": value,
        });
        serde_json::from_value::<Change>(json).unwrap()
    };
    // How many there are, and which of the first three.
    let known = || {
        nudge.standing(|changes| {
            let marks = changes.into_iter().filter_map(|change| match change.kind {
                ChangeKind::Mark(mark) => Some(mark.value.to_string()),
                _ => None,
            });
            let marks: Vec<String> = marks.collect();
            let has = |number: u64| marks.contains(&format!("{number:016x}"));
            (marks.len(), [has(1), has(2), has(3)])
        })
    };
    nudge.replay((1..=20_000).map(|number| mark((number, i64::try_from(number).unwrap()))));
    assert_eq!(known(), (20_000, [true, true, true]));
    // One that says the same takes its place, and is no more the oldest.
    nudge.replay([mark((1, 30_000))]);
    assert_eq!(known(), (20_000, [true, true, true]));
    nudge.replay([mark((20_001, 30_001))]);
    assert_eq!(known(), (20_000, [true, false, true]));
}
