//! Many deaths one after the other, and many starts at once.

use std::sync::{Arc, Barrier};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::load::Load;
use super::{keys, member, place, set, status};
use crate::mcp::host::Host;

/// How often the PRIMARY is killed.
const ROUNDS: usize = 10;

/// Kills the PRIMARY, whoever it is. Nobody else ends it meanwhile, so that the
/// number is still its own.
pub(super) fn kill_primary(seen_from: &mut Host) {
    let pid = status(seen_from)["pid"].as_i64().unwrap();
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn the_session_outlives_many_primaries_killed_one_after_the_other() {
    let runtime = tempfile::tempdir().unwrap();
    let load = Load::start(runtime.path(), 3);
    let mut watching = member(runtime.path());
    let before = place(&mut watching);
    for round in 0..ROUNDS {
        kill_primary(&mut watching);
        load.goes_on();
        // Whoever watched may have been PRIMARY, and be gone.
        watching = member(runtime.path());
        assert_eq!(place(&mut watching), before, "in round {round}");
    }
    load.end(&mut watching).assert_clean();
}

#[test]
fn sixteen_that_start_while_the_primary_is_killed_join_its_session() {
    let runtime = tempfile::tempdir().unwrap();
    let mut survivor = {
        let mut primary = member(runtime.path());
        set(&mut primary, "kept", "yes");
        let survivor = member(runtime.path());
        let start = Arc::new(Barrier::new(17));
        let starting: Vec<_> = (0..16)
            .map(|number| {
                let (start, path) = (Arc::clone(&start), runtime.path().to_owned());
                thread::spawn(move || {
                    start.wait();
                    let mut host = member(&path);
                    set(&mut host, &format!("n{number:02}"), "here");
                    host
                })
            })
            .collect();
        let session = place(&mut primary);
        start.wait();
        primary.signal(Signal::KILL);
        let mut all: Vec<Host> = starting
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect();
        all.push(survivor);
        let pids: Vec<Value> = all
            .iter_mut()
            .map(|one| status(one)["pid"].take())
            .collect();
        assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
        for one in &mut all {
            assert_eq!(place(one), session);
        }
        all.pop().unwrap()
    };
    let mut expected: Vec<String> = (0..16).map(|number| format!("n{number:02}")).collect();
    expected.insert(0, "kept".to_owned());
    assert_eq!(keys(&mut survivor), expected);
}
