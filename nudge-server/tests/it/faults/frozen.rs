//! A PRIMARY that was frozen, and wakes when another has its place.

use std::fs;

use rustix::process::Signal;
use serde_json::json;

use super::{keys, member, pid, result, set, status};
use crate::process::signal;

/// Freezes a PRIMARY, takes names away so that another takes its place, wakes it,
/// and lets its client write.
fn wakes_without(names: &[&str], expected: &[&str]) {
    let runtime = tempfile::tempdir().unwrap();
    let mut frozen = member(runtime.path());
    set(&mut frozen, "before", "kept");
    signal(frozen.child(), Signal::STOP);
    for name in names {
        fs::remove_file(runtime.path().join(name)).unwrap();
    }
    let mut other = member(runtime.path());
    assert_eq!(status(&mut other)["pid"], pid(&other));
    set(&mut other, "meanwhile", "by the other");
    signal(frozen.child(), Signal::CONT);
    // It was not acknowledged by the one that had no right to.
    set(&mut frozen, "after", "by the one that woke");
    assert_eq!(keys(&mut other), expected);
    assert_eq!(keys(&mut frozen), expected);
    assert_eq!(status(&mut frozen)["pid"], pid(&other));
    let bump = json!({"component": "faults", "key": "after"});
    let bumped = result(&mut frozen, "nudge.bump", bump);
    assert_eq!(bumped["hint"]["use_count"], 1);
}

#[test]
fn a_primary_that_was_superseded_while_it_was_frozen_acknowledges_nothing() {
    wakes_without(&["lock", "nudge.sock"], &["after", "before", "meanwhile"]);
}

#[test]
fn a_primary_whose_folder_was_wiped_while_it_was_frozen_acknowledges_nothing() {
    let all = [
        "lock",
        "nudge.sock",
        "server.pid",
        "session",
        "epoch",
        "journal",
        "token",
    ];
    wakes_without(&all, &["after", "meanwhile"]);
}

#[test]
fn a_call_that_a_superseded_primary_refuses_is_made_at_its_successor() {
    let runtime = tempfile::tempdir().unwrap();
    let frozen = member(runtime.path());
    let mut proxy = member(runtime.path());
    set(&mut proxy, "before", "kept");
    signal(frozen.child(), Signal::STOP);
    for name in ["lock", "nudge.sock"] {
        fs::remove_file(runtime.path().join(name)).unwrap();
    }
    let mut other = member(runtime.path());
    assert_eq!(status(&mut other)["pid"], pid(&other));
    signal(frozen.child(), Signal::CONT);
    // The PROXY is still connected to the one that woke.
    set(&mut proxy, "after", "through the old connection");
    assert_eq!(keys(&mut other), ["after", "before"]);
}
