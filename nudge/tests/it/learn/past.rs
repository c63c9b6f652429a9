//! What the past teaches: by the rules of hooks, and never against what is known better.

use chrono::TimeDelta;
use nudge::{Caller, Context, DeleteHint, Event, EventKind, GetHint, Hint, Nudge, SetHint};

use serde::Deserialize;
use serde_json::json;

use super::Stage;

fn here() -> Context {
    let here = Context::new().cwd("/work/api");
    here.repo("git:acme/api").branch("main")
}

/// A command that ended so many days ago, in a session.
type Run<'a> = (i64, &'a str, &'a str, i64);

fn learn_as(nudge: &Nudge, runs: &[Run<'_>], dry_run: bool) -> Vec<String> {
    let event = |(days, session, command, code): &Run<'_>| {
        let event = Event::after_command(*command).host("codex");
        let event = event.session(*session).exit_code(*code).context(here());
        (nudge.now() - TimeDelta::days(*days), event)
    };
    let past = runs.iter().map(event).collect();
    let learned = nudge.learn_past(&Caller::user(), past, dry_run).unwrap();
    let hints = learned.hints();
    let line = |(component, key, hint): (_, _, &std::sync::Arc<Hint>)| {
        format!("{component}/{key}: {}", hint.value.text())
    };
    hints.map(line).collect()
}

fn learn(nudge: &Nudge, runs: &[Run<'_>]) -> Vec<String> {
    learn_as(nudge, runs, false)
}

/// What a get returns.
fn got(nudge: &Nudge) -> Option<std::sync::Arc<Hint>> {
    let found = nudge.get_hint(GetHint::new("api", "test").context(here()));
    found.ok().map(|found| found.hint)
}

#[test]
fn what_worked_last_is_learned_by_the_rules_of_hooks() {
    // What ran, as days ago, session, command and status, and what is learned of it.
    let cases = json!([
        [[], []],
        [[[3, "a", "make test", 0]], ["api/test: make test"]],
        // The order of the list means nothing.
        [
            [[1, "a", "make test", 0], [3, "b", "npm test", 0]],
            ["api/test: make test"]
        ],
        [
            [[5, "a", "make build", 0], [3, "b", "npm test", 0]],
            ["api/build: make build", "api/test: npm test"]
        ],
        // That it failed later speaks about the code, unless it could not run any more.
        [
            [[3, "a", "make test", 0], [1, "a", "make test", 2]],
            ["api/test: make test"]
        ],
        [[[3, "a", "pytest", 0], [1, "a", "pytest", 127]], []],
        [
            [[3, "a", "make test", 2], [1, "a", "make test", 0]],
            ["api/test: make test"]
        ],
        [[[3, "a", "make test", 127]], []],
        // One spot does not take its place.
        [
            [
                [5, "a", "cargo test one_case", 0],
                [4, "b", "cargo test", 0],
                [3, "b", "cargo test one_case", 0],
                [2, "b", "cd . && cargo test", 1]
            ],
            ["api/test: cargo test"]
        ],
        // A narrow one needs two sessions.
        [[[3, "a", "cargo test one_case", 0]], []],
        [
            [
                [3, "a", "cargo test one_case", 0],
                [2, "b", "cargo test one_case", 0]
            ],
            ["api/test: cargo test one_case"]
        ],
        // Whatever would be retired, was not yet, holds a secret or is no step.
        [[[61, "a", "make test", 0]], []],
        [[[-1, "a", "make test", 0]], []],
        [[[1, "a", "make test PASSWORD=hunter2hunter2", 0]], []],
        [[[1, "a", "ls -la", 0], [1, "a", "git status", 0]], []],
        [[[1, "a", "make test | tail", 0]], []],
    ]);
    for case in cases.as_array().unwrap() {
        let runs = Vec::<Run<'_>>::deserialize(&case[0]).unwrap();
        let learned = learn(&Stage::new().nudge, &runs);
        assert_eq!(json!(learned), case[1], "{runs:?}");
    }
}

#[test]
fn a_lesson_has_the_times_of_then_and_a_second_reading_adds_nothing() {
    let nudge = Stage::new().nudge;
    let runs = [
        (9, "a", "make test", 0),
        (4, "b", "make test", 0),
        (3, "b", "frob all", 127),
    ];
    assert_eq!(learn_as(&nudge, &runs, true), ["api/test: make test"]);
    assert_eq!(got(&nudge), None);

    assert_eq!(learn(&nudge, &runs), ["api/test: make test"]);
    let hint = got(&nudge).unwrap();
    let worked = nudge.now() - TimeDelta::days(4);
    assert_eq!((hint.updated_at, hint.last_used_at), (worked, Some(worked)));
    assert_eq!(hint.use_count, 2);
    assert!(hint.is_learned() && !hint.is_users());
    let origin = hint.meta.origin.as_ref().unwrap();
    assert_eq!(origin.client.as_deref(), Some("codex"));
    assert_eq!(hint.scope().unwrap().branch, None);

    assert_eq!(learn(&nudge, &runs), Vec::<String>::new());
    assert_eq!(got(&nudge), Some(hint));
    // What could not run is known, once.
    let pitfalls = nudge.pitfalls(&here());
    let known = pitfalls.iter().map(|it| (&*it.command, it.sessions));
    assert_eq!(known.collect::<Vec<_>>(), [("frob all", 1)]);
}

#[test]
fn what_is_known_better_stands() {
    let live = |nudge: &Nudge, command: &str| {
        let event = Event::after_command(command).exit_code(0).context(here());
        nudge.on_event(event).unwrap();
    };
    let past = [(4, "a", "make test", 0)];
    let expect = |nudge: &Nudge, learned: &[&str], stands: Option<&str>| {
        assert_eq!(learn(nudge, &past), learned);
        let value = got(nudge).map(|hint| hint.value.text().into_owned());
        assert_eq!(value.as_deref(), stands);
    };
    // The user's word, here, everywhere, and for another branch.
    for set in [
        SetHint::new("api", "test", "tox").repo("git:acme/api"),
        SetHint::new("api", "test", "tox"),
    ] {
        let nudge = Stage::new().nudge;
        nudge.pin_clock(Some("2025-10-01T00:00:00Z")).unwrap();
        nudge.set_hint(set).unwrap();
        nudge.pin_clock(Some("2025-11-04T14:00:00Z")).unwrap();
        expect(&nudge, &[], Some("tox"));
    }
    // What worked later.
    let nudge = Stage::new().nudge;
    live(&nudge, "npm test");
    expect(&nudge, &[], Some("npm test"));
    // What worked earlier gives way, and has been used as often as it was.
    let nudge = Nudge::default();
    nudge.pin_clock(Some("2025-10-20T14:00:00Z")).unwrap();
    live(&nudge, "npm test");
    nudge.pin_clock(Some("2025-11-04T14:00:00Z")).unwrap();
    expect(&nudge, &["api/test: make test"], Some("make test"));
    // What the user has deleted does not come back.
    let nudge = Stage::new().nudge;
    expect(&nudge, &["api/test: make test"], Some("make test"));
    let delete = DeleteHint::new("api", "test").context(here());
    nudge.delete_hint(delete).unwrap();
    expect(&nudge, &[], None);
    // Another repository is another matter.
    let nudge = Stage::new().nudge;
    let other = SetHint::new("api", "test", "tox").repo("git:acme/web");
    nudge.set_hint(other).unwrap();
    expect(&nudge, &["api/test: make test"], Some("make test"));
}

#[test]
fn nothing_is_left_of_who_ran_it_but_the_hint() {
    let nudge = Stage::new().nudge;
    learn(&nudge, &[(1, "a", "make test", 0)]);
    let mut start = Event::new(EventKind::SessionStart).context(here());
    start.session = Some("b".to_owned());
    let told = nudge.on_event(start).unwrap().text.unwrap();
    let lines = told.lines().filter(|line| line.contains("make test"));
    let lines: Vec<&str> = lines.collect();
    let expected = ["- [learned, worked 1×] api/test: `make test`"];
    assert_eq!(lines, expected, "{told}");
}

#[test]
fn the_past_fills_no_more_than_there_is_room_for() {
    let nudge = Stage::new().nudge;
    let past = |from: usize| {
        let ran = |number: usize| {
            let here = here().root("/work/api").cwd(format!("/work/api/p{number}"));
            let event = Event::after_command("make test").exit_code(0).context(here);
            (nudge.now() - TimeDelta::days(1), event)
        };
        let past = (from..from + 40).map(ran).collect();
        let learned = nudge.learn_past(&Caller::user(), past, false).unwrap();
        learned.hints().count()
    };
    assert_eq!((past(0), past(40)), (40, 10));
}
