//! Hooks that are silent although their host is used.

use std::fs::File;
use std::time::{Duration, SystemTime};

use crate::hosts::home::Home;

const USED: &str = "was used on";
const DAY: Duration = Duration::from_hours(24);

/// A home where Codex has hooks for 20 days and was used on some of the last ones.
fn used(days: u32) -> (Home, crate::process::Folder) {
    let (home, runtime) = super::trust::home();
    home.nudge("install codex --hooks").done();
    let aged = |name: &str, days: u32| {
        let file = File::options().append(true).open(home.path(name)).unwrap();
        file.set_modified(SystemTime::now() - days * DAY).unwrap();
    };
    aged(".codex/hooks.json", 20);
    for day in 1..=days {
        let name = format!(".codex/sessions/2026/rollout-{day}.jsonl");
        home.write(&name, "{}\n");
        aged(&name, day);
    }
    (home, runtime)
}

/// What the user is told after some commands, as soon as it has some words.
fn told(home: &Home, words: &str) -> String {
    let typed = (0..50).map(|_| home.nudge("ls"));
    let mut told = typed.map(|typed| typed.stderr + &typed.stdout);
    told.find(|told| told.contains(words)).unwrap_or_default()
}

#[test]
fn seven_days_of_use_without_an_event_are_told_once_with_the_cause() {
    let (home, _runtime) = used(7);
    let told = told(&home, USED);
    let words = "Codex was used on 7 days since its hooks are there, and none of them was heard: 6 of 6 hooks in";
    assert!(told.contains(words), "{told}");
    assert!(told.contains("wait for your approval"), "{told}");
    home.nudge("restart").done();
    assert_eq!(self::told(&home, USED), "", "it is told once");
    home.nudge("stop").done();
}

#[test]
fn six_days_are_no_alarm() {
    let (home, _runtime) = used(6);
    assert_eq!(told(&home, USED), "");
    home.nudge("stop").done();
}

#[test]
fn seven_days_of_events_of_which_nothing_was_learned_are_told() {
    let (home, runtime) = used(0);
    let place = runtime.path().join("nudge");
    assert_eq!(told(&home, "nothing was learned"), "", "nothing was heard");
    crate::process::end_server(&place);
    let file = rusqlite::Connection::open(place.join("nudge.db")).unwrap();
    let heard = "INSERT INTO state VALUES ('heard codex', 1), ('heard days codex', 7)";
    file.execute(heard, []).unwrap();
    drop(file);
    let told = told(&home, "nothing was learned");
    let words = "hooks of Codex were heard on 7 days and nothing was learned: only commands in a \
                 repository that has a remote teach anything";
    assert!(told.contains(words), "{told}");
    home.nudge("stop").done();
}
