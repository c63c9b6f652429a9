//! A PRIMARY under load goes away, in every way there is.

use rustix::process::Signal;
use serde_json::json;

use super::load::Load;
use super::{member, pid, place, result, set, status, until_members};
use crate::mcp::host::Host;
use crate::process::signal;

/// Lets three PROXYs write while their PRIMARY goes away.
fn the_session_outlives(go_away: impl FnOnce(Host) -> Option<Host>) {
    let runtime = tempfile::tempdir().unwrap();
    let mut primary = member(runtime.path());
    set(&mut primary, "first", "from the PRIMARY");
    let before = place(&mut primary);
    let load = Load::start(runtime.path(), 3);
    until_members(&mut primary, 4);
    load.goes_on();
    let old = pid(&primary);
    let gone = go_away(primary);
    load.goes_on();

    let mut late = member(runtime.path());
    assert_ne!(status(&mut late)["pid"], old);
    assert_eq!(place(&mut late), before);
    let first = json!({"component": "faults", "key": "first"});
    let first = result(&mut late, "nudge.get_hint", first);
    assert_eq!(first["hint"]["value"], "from the PRIMARY");
    load.end(&mut late).assert_clean();
    drop(gone);
}

#[test]
fn the_session_outlives_a_primary_that_is_killed() {
    the_session_outlives(|primary| {
        primary.signal(Signal::KILL);
        None
    });
}

#[test]
fn the_session_outlives_a_primary_that_is_told_to_end() {
    for sent in [Signal::TERM, Signal::INT] {
        the_session_outlives(|primary| {
            assert_eq!(primary.signal(sent).code(), Some(0), "{sent:?}");
            None
        });
    }
}

#[test]
fn the_session_outlives_a_primary_whose_host_hangs_up() {
    the_session_outlives(|primary| {
        assert_eq!(primary.hang_up().code(), Some(0));
        None
    });
}

#[test]
fn the_session_outlives_a_primary_that_is_stopped_in_its_tracks() {
    the_session_outlives(|primary| {
        signal(primary.child(), Signal::STOP);
        Some(primary)
    });
}
