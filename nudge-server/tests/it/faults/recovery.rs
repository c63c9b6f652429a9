//! What of a session is there for whoever comes next.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::process::Signal;
use serde_json::json;

use super::{keys, member, member_by, place, result, set, until_members};
use crate::mcp::host::Host;
use crate::mcp::origin::typed;
use crate::process::serve;

fn nobody_is_left_of(members: Vec<Host>, sent: Signal) {
    for member in members {
        member.signal(sent);
    }
}

/// A session of three, in which each has written.
fn three(runtime: &Path) -> Vec<Host> {
    let mut members: Vec<Host> = (0..3).map(|_| member(runtime)).collect();
    for (number, member) in members.iter_mut().enumerate() {
        set(member, &format!("k{number}"), "kept");
    }
    until_members(&mut members[0], 3);
    members
}

#[test]
fn a_session_whose_members_were_all_killed_goes_on_with_the_next_start() {
    let runtime = tempfile::tempdir().unwrap();
    let mut members = three(runtime.path());
    let before = place(&mut members[0]);
    // The PROXYs first, so that nobody is left to take over.
    members.reverse();
    nobody_is_left_of(members, Signal::KILL);
    let mut next = member(runtime.path());
    assert_eq!(keys(&mut next), ["k0", "k1", "k2"]);
    assert_eq!(place(&mut next), before);
}

#[test]
fn a_session_whose_members_have_all_left_is_over() {
    for primary_first in [true, false] {
        let runtime = tempfile::tempdir().unwrap();
        let mut members = three(runtime.path());
        let (before, _) = place(&mut members[0]);
        if !primary_first {
            members.reverse();
        }
        nobody_is_left_of(members, Signal::TERM);
        for name in ["session.journal", "server.pid", "nudge.sock"] {
            assert!(!runtime.path().join(name).exists(), "{name}");
        }
        let mut next = member(runtime.path());
        assert!(keys(&mut next).is_empty());
        assert_ne!(place(&mut next).0, before);
    }
}

#[test]
fn members_who_leave_at_the_same_moment_leave_nothing() {
    for _ in 0..5 {
        let runtime = tempfile::tempdir().unwrap();
        let members = three(runtime.path());
        for member in &members {
            crate::process::signal(member.child(), Signal::TERM);
        }
        for member in members {
            assert_eq!(member.ended().code(), Some(0));
        }
        assert!(!runtime.path().join("session.journal").exists());
    }
}

#[test]
fn a_session_lingers_where_that_is_wanted() {
    let runtime = tempfile::tempdir().unwrap();
    let lingering = || {
        let mut command = serve(runtime.path());
        command.env("NUDGE_LINGER", "PT8H");
        member_by(command)
    };
    for proxy_last in [false, true] {
        let mut last = lingering();
        let mut first = lingering();
        set(&mut last, &format!("last-{proxy_last}"), "kept");
        set(&mut first, &format!("first-{proxy_last}"), "kept");
        if proxy_last {
            std::mem::swap(&mut first, &mut last);
        }
        nobody_is_left_of(vec![first, last], Signal::TERM);
        // Longer ago than a crash would count.
        age(
            &runtime.path().join("session.journal"),
            Duration::from_hours(7),
        );
    }
    let expected = ["first-false", "first-true", "last-false", "last-true"];
    assert_eq!(keys(&mut lingering()), expected);
}

/// Makes a file look as if it had been written so long ago.
fn age(path: &Path, by: Duration) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - by).unwrap();
}

#[test]
fn an_old_journal_counts_while_a_member_lives() {
    let runtime = tempfile::tempdir().unwrap();
    let mut primary = member(runtime.path());
    set(&mut primary, "build", "make");
    let mut proxy = member(runtime.path());
    age(
        &runtime.path().join("session.journal"),
        Duration::from_hours(1),
    );
    primary.signal(Signal::KILL);
    assert_eq!(keys(&mut proxy), ["build"]);
}

#[test]
fn a_secret_is_not_in_the_journal_and_ends_with_its_primary() {
    let runtime = tempfile::tempdir().unwrap();
    let mut primary = member(runtime.path());
    let mut proxy = member(runtime.path());
    let secret = ["set", "faults", "secret", "swordfish", "--allow-secret"];
    typed(runtime.path(), &secret);
    for writer in [&mut primary, &mut proxy] {
        let only = json!({"component": "faults", "key": "secret"});
        result(writer, "nudge.bump", only);
    }
    typed(runtime.path(), &secret);
    set(&mut proxy, "open", "tuna");
    assert_eq!(keys(&mut proxy), ["open", "secret"]);
    for entry in fs::read_dir(runtime.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap_or_default();
        let told = bytes.windows(9).any(|bytes| bytes == b"swordfish");
        assert!(!told, "{}", path.display());
        if path.ends_with("session.journal") {
            assert!(bytes.windows(4).any(|bytes| bytes == b"tuna"));
        }
    }
    primary.signal(Signal::KILL);
    assert_eq!(keys(&mut proxy), ["open"]);
}
