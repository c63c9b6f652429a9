//! Many starts at once.

use std::sync::{Arc, Barrier};
use std::thread;

use rustix::process::Signal;

use super::{keys, member, place, primary, set, status};
use crate::process::kill;

#[test]
fn sixteen_that_start_while_the_primary_is_killed_join_its_session() {
    let runtime = crate::process::folder();
    let mut first = member(runtime.path());
    set(&mut first, "kept", "yes");
    let session = place(&mut first);
    let pid = primary(runtime.path());
    let start = Arc::new(Barrier::new(17));
    let names = (0..16).map(|number| format!("n{number:02}"));
    let starting: Vec<_> = names
        .clone()
        .map(|name| {
            let (start, path) = (Arc::clone(&start), runtime.path().to_owned());
            thread::spawn(move || {
                start.wait();
                let mut host = member(&path);
                set(&mut host, &name, "here");
                host
            })
        })
        .collect();
    start.wait();
    kill(pid, Signal::KILL);
    let hosts = starting.into_iter().map(|one| one.join().unwrap());
    let mut hosts: Vec<_> = hosts.chain([first]).collect();
    let mut pids = Vec::new();
    for host in &mut hosts {
        assert_eq!(place(host), session);
        pids.push(status(host)["pid"].take());
    }
    pids.dedup();
    assert_eq!(pids.len(), 1, "{pids:?}");
    let expected: Vec<String> = ["kept".to_owned()].into_iter().chain(names).collect();
    assert_eq!(keys(&mut hosts[0]), expected);
}
