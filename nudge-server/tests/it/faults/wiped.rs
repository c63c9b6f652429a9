//! Somebody wipes the runtime folder under a running session.

use std::fs;
use std::path::Path;

use rustix::process::Signal;

use super::load::Load;
use super::{keys, member, pid, place, set, status, until_members};
use crate::mcp::host::Host;
use crate::process::until;

/// What a session has in its folder.
const NAMES: [&str; 6] = [
    "lock",
    "nudge.sock",
    "server.pid",
    "session",
    "session.journal",
    "token",
];

/// Wipes what is in a folder.
fn wipe_content(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        // The PRIMARY puts back what it misses meanwhile.
        let _ = fs::remove_file(entry.unwrap().path());
    }
}

/// Wipes a folder and itself, and gives up only when the PRIMARY is quicker
/// every time.
fn wipe_all(folder: &Path) {
    until("the folder is gone", || fs::remove_dir_all(folder).is_ok());
}

fn until_names_are_back(folder: &Path) {
    until("the names are back", || {
        NAMES.iter().all(|name| folder.join(name).exists())
    });
}

/// A PRIMARY and a PROXY, and a key of each.
fn two(runtime: &Path) -> (Host, Host) {
    let mut primary = member(runtime);
    let mut proxy = member(runtime);
    set(&mut primary, "one", "1");
    set(&mut proxy, "two", "2");
    until_members(&mut primary, 2);
    (primary, proxy)
}

#[test]
fn a_wiped_folder_gets_its_names_back_and_a_newcomer_joins() {
    for wipe in [wipe_content, wipe_all] {
        let parent = tempfile::tempdir().unwrap();
        let runtime = parent.path().join("nudge");
        let (mut primary, mut proxy) = two(&runtime);
        let before = place(&mut primary);
        wipe(&runtime);
        until_names_are_back(&runtime);
        assert_eq!(keys(&mut proxy), ["one", "two"]);
        let mut newcomer = member(&runtime);
        assert_eq!(keys(&mut newcomer), ["one", "two"]);
        assert_eq!(status(&mut newcomer)["pid"], pid(&primary));
        for host in [&mut primary, &mut proxy, &mut newcomer] {
            assert_eq!(place(host), before);
        }
        until_members(&mut proxy, 3);
    }
}

#[test]
fn a_folder_that_is_wiped_again_and_again_gets_all_its_names_back_every_time() {
    let parent = tempfile::tempdir().unwrap();
    let runtime = parent.path().join("nudge");
    let (_primary, mut proxy) = two(&runtime);
    for _ in 0..30 {
        wipe_content(&runtime);
        until_names_are_back(&runtime);
    }
    assert_eq!(keys(&mut proxy), ["one", "two"]);
}

#[test]
fn after_a_wipe_a_proxy_still_takes_over_however_the_primary_ends() {
    for sent in [Signal::KILL, Signal::TERM] {
        let parent = tempfile::tempdir().unwrap();
        let runtime = parent.path().join("nudge");
        let (mut primary, mut proxy) = two(&runtime);
        let before = place(&mut primary);
        wipe_content(&runtime);
        until_names_are_back(&runtime);
        until_members(&mut primary, 2);
        primary.signal(sent);
        assert_eq!(keys(&mut proxy), ["one", "two"], "{sent:?}");
        assert_eq!(place(&mut proxy), before);
    }
}

#[test]
fn whoever_loses_the_file_of_the_members_finds_the_new_one() {
    let runtime = tempfile::tempdir().unwrap();
    let (mut primary, mut proxy) = two(runtime.path());
    let before = place(&mut primary);
    fs::remove_file(runtime.path().join("session")).unwrap();
    until_names_are_back(runtime.path());
    until_members(&mut primary, 2);
    primary.signal(Signal::TERM);
    assert_eq!(keys(&mut proxy), ["one", "two"]);
    assert_eq!(place(&mut proxy), before);
}

#[test]
fn no_write_is_lost_while_the_folder_is_wiped() {
    let parent = tempfile::tempdir().unwrap();
    let runtime = parent.path().join("nudge");
    let mut primary = member(&runtime);
    let load = Load::start(&runtime, 2);
    for _ in 0..3 {
        wipe_content(&runtime);
        load.goes_on();
    }
    until_names_are_back(&runtime);
    load.end(&mut primary).assert_clean();
}
