//! The last that holds and the first that does not, where properties seldom look.

use std::sync::Arc;

use nudge::{
    Actor, Bump, Caller, Change, ChangeKind, Error, ErrorKind, GetHint, ManualClock, Nudge, Scope,
    SetHint,
};

fn at(time: &str) -> chrono::DateTime<chrono::Utc> {
    time.parse().unwrap()
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

#[test]
fn a_confidence_that_is_no_number_is_out_of_range() {
    for confidence in [f64::NAN, f64::INFINITY] {
        let set = SetHint::new("api", "build", "make").confidence(confidence);
        let error = Nudge::default().set_hint(set).unwrap_err();
        assert_eq!(error.data().field.as_deref(), Some("meta.confidence"));
    }
}

#[test]
fn a_fix_that_only_a_later_version_knows_stays_in_the_message() {
    let json = r#"{"code": 40001, "message": "it is odd; do so", "data": {"fix": "do_so"}}"#;
    let error: Error = serde_json::from_str(json).unwrap();
    assert_eq!(error.data().fix, None);
    assert_eq!(error.problem(), "it is odd; do so");
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
