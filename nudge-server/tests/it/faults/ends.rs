//! A PRIMARY under load goes away, in every way there is.

use std::fs;
use std::path::Path;

use rustix::process::Signal;
use serde_json::json;

use super::load::Load;
use super::{kill_primary, member, member_by, place, primary, printed, result, set, status};
use crate::process::{kill, nudge, until};

/// Lets three clients write while their PRIMARY goes away.
fn the_session_outlives(times: usize, go_away: impl Fn(&Path)) {
    let runtime = crate::process::folder();
    let mut first = member(runtime.path());
    set(&mut first, "first", "kept");
    let before = place(&mut first);
    let load = Load::start(runtime.path(), 3);
    load.goes_on();
    for round in 1..=times {
        let old = primary(runtime.path());
        go_away(runtime.path());
        load.goes_on();
        assert_ne!(status(&mut first)["pid"], old, "in round {round}");
        assert_eq!(place(&mut first), before, "in round {round}");
    }
    let mut late = member(runtime.path());
    assert_eq!(place(&mut late), before);
    let first = json!({"component": "faults", "key": "first"});
    let first = result(&mut late, "nudge.get_hint", first);
    assert_eq!(first["hint"]["value"], "kept");
    load.end(&mut late).assert_clean();
}

#[test]
fn the_session_outlives_a_primary_that_is_killed() {
    the_session_outlives(10, kill_primary);
}

#[test]
fn the_session_outlives_a_primary_that_is_told_to_end() {
    for sent in [Signal::TERM, Signal::INT, Signal::HUP] {
        the_session_outlives(1, |runtime| {
            let old = primary(runtime);
            kill(old, sent);
            until("it has ended", || {
                crate::process::primary(runtime) != Some(old)
            });
        });
    }
}

#[test]
fn the_session_outlives_a_restart() {
    the_session_outlives(1, |runtime| {
        let said = printed(runtime, &["restart"]);
        assert!(said.contains("serves the session"), "{said}");
    });
}

#[test]
fn the_session_outlives_a_binary_that_is_replaced() {
    let (runtime, place) = (crate::process::folder(), crate::process::folder());
    let program = place.path().join("nudge");
    let copy = || {
        let new = place.path().join("new");
        fs::copy(nudge().get_program(), &new).unwrap();
        fs::rename(new, &program).unwrap();
    };
    copy();
    let mut command = std::process::Command::new(&program);
    command.args(["serve", "--port", "0"]);
    command.env("NUDGE_RUNTIME_DIR", runtime.path());
    let mut host = member_by(command);
    set(&mut host, "before", "kept");
    let old = primary(runtime.path());
    copy();
    kill_primary(runtime.path());
    set(&mut host, "after", "kept");
    let new = primary(runtime.path());
    assert_ne!(new, old);
    let running = fs::read_link(format!("/proc/{new}/exe")).unwrap();
    assert_eq!(running, program.canonicalize().unwrap());

    // One that still runs the old file is told apart, and can be replaced.
    let said = |word: &str| {
        let mut command = std::process::Command::new(&program);
        command.arg(word).env("NUDGE_RUNTIME_DIR", runtime.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let older = "the server is older than this nudge; `nudge restart` replaces it";
    assert!(!said("status").contains(older));
    copy();
    assert!(said("status").contains(older));
    assert!(said("doctor").contains("was started before this nudge was installed"));
    said("restart");
    assert!(!said("status").contains(older));
    assert_eq!(super::keys(&mut host), ["after", "before"]);
}

#[test]
fn the_session_outlives_its_hosts_whatever_becomes_of_them() {
    for sent in [Signal::KILL, Signal::TERM] {
        let runtime = crate::process::folder();
        let mut first = member(runtime.path());
        set(&mut first, "build", "make");
        let (before, pid) = (place(&mut first), primary(runtime.path()));
        first.signal(sent);
        let mut next = member(runtime.path());
        assert_eq!(super::keys(&mut next), ["build"], "{sent:?}");
        assert_eq!((place(&mut next), primary(runtime.path())), (before, pid));
    }
}

#[test]
fn a_host_that_is_stopped_stops_nobody_else() {
    let runtime = crate::process::folder();
    let mut stopped = member(runtime.path());
    set(&mut stopped, "build", "make");
    crate::process::signal(stopped.child(), Signal::STOP);
    assert_eq!(
        printed(runtime.path(), &["get", "faults", "build", "--raw"]),
        "make\n"
    );
    crate::process::signal(stopped.child(), Signal::CONT);
    set(&mut stopped, "test", "make test");
}
