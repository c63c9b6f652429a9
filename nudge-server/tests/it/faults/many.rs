//! Many starts at once.

use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

use rustix::process::Signal;
use serde_json::Value;

use super::{keys, member, place, primary, set, status};
use crate::mcp::host::Host;
use crate::process::kill;

/// Sixteen hosts that start at the same moment, each of which writes a key.
fn sixteen(runtime: &Path, meanwhile: impl FnOnce()) -> Vec<Host> {
    let start = Arc::new(Barrier::new(17));
    let starting: Vec<_> = (0..16)
        .map(|number| {
            let (start, path) = (Arc::clone(&start), runtime.to_owned());
            thread::spawn(move || {
                start.wait();
                let mut host = member(&path);
                set(&mut host, &format!("n{number:02}"), "here");
                host
            })
        })
        .collect();
    start.wait();
    meanwhile();
    let hosts = starting.into_iter().map(|one| one.join().unwrap());
    hosts.collect()
}

fn assert_shared(hosts: &mut [Host], others: &[&str]) {
    let pids: Vec<Value> = hosts
        .iter_mut()
        .map(|one| status(one)["pid"].take())
        .collect();
    assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
    let mut expected: Vec<String> = (0..16).map(|number| format!("n{number:02}")).collect();
    expected.extend(others.iter().map(|key| (*key).to_owned()));
    expected.sort();
    assert_eq!(keys(&mut hosts[0]), expected);
}

#[test]
fn sixteen_that_start_while_the_primary_is_killed_join_its_session() {
    let runtime = crate::process::folder();
    let mut first = member(runtime.path());
    set(&mut first, "kept", "yes");
    let session = place(&mut first);
    let pid = primary(runtime.path());
    let mut hosts = sixteen(runtime.path(), || kill(pid, Signal::KILL));
    hosts.push(first);
    for host in &mut hosts {
        assert_eq!(place(host), session);
    }
    assert_shared(&mut hosts, &["kept"]);
}

#[test]
fn of_sixteen_that_start_at_once_each_joins_the_same_primary_every_time() {
    for _ in 0..3 {
        let runtime = crate::process::folder();
        let mut hosts = sixteen(runtime.path(), || ());
        assert_shared(&mut hosts, &[]);
    }
}
