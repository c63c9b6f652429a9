//! Somebody wipes the session folder under a running session.

use std::fs;
use std::path::Path;

use super::load::Load;
use super::{keys, member_by, place, primary, set};
use crate::mcp::host::Host;
use crate::process::{printed, serve, until};
use crate::says::Says;

/// What a session has in its folder.
const NAMES: [&str; 6] = [
    "client.key",
    "lock",
    "nudge.db",
    "nudge.sock",
    "server.pid",
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

/// A host whose PRIMARY looks after its names all the time.
fn careful(runtime: &Path) -> Host {
    let mut command = serve(runtime);
    command.env("NUDGE_CHECK_MS", "5");
    member_by(command)
}

#[test]
fn a_wiped_folder_gets_its_names_back_and_a_newcomer_joins() {
    for wipe in [wipe_content, wipe_all] {
        let parent = crate::process::folder();
        let runtime = parent.path().join("nudge");
        let mut first = careful(&runtime);
        set(&mut first, "one", "1");
        let (before, pid) = (place(&mut first), primary(&runtime));
        wipe(&runtime);
        until_names_are_back(&runtime);
        let mut newcomer = careful(&runtime);
        for host in [&mut first, &mut newcomer] {
            assert_eq!(keys(host), ["one"]);
            assert_eq!(place(host), before);
        }
        assert_eq!(primary(&runtime), pid);
        crate::process::end_server(&runtime);
        assert_eq!(keys(&mut newcomer), ["one"]);
        // Else they start another.
        drop((first, newcomer));
        crate::process::end_server(&runtime);
    }
}

#[test]
fn nobody_else_gets_the_store_of_a_primary_that_has_lost_its_names() {
    let runtime = crate::process::folder();
    let mut host = careful(runtime.path());
    set(&mut host, "one", "1");
    let old = primary(runtime.path());
    crate::process::kill(old, rustix::process::Signal::STOP);
    for name in ["lock", "nudge.sock"] {
        fs::remove_file(runtime.path().join(name)).unwrap();
    }
    let (status, said) = printed(&mut super::command(runtime.path(), &["ls"]));
    assert_eq!(status, 3);
    said.says("nudge.db` cannot be used: another process has the file open");
    crate::process::kill(old, rustix::process::Signal::CONT);
    until("the old one has its names back", || {
        crate::process::primary(runtime.path()) == Some(old)
    });
    until_names_are_back(runtime.path());
    set(&mut host, "two", "2");
    let mut other = careful(runtime.path());
    assert_eq!(keys(&mut other), ["one", "two"]);
}

#[test]
fn a_log_that_is_taken_away_alone_is_made_again() {
    let runtime = crate::process::folder();
    let mut host = careful(runtime.path());
    let log = runtime.path().join("nudge.db-wal");
    set(&mut host, "one", "1");
    fs::remove_file(&log).unwrap();
    until("it is made again", || log.exists());
    set(&mut host, "two", "2");
    super::kill_primary(runtime.path());
    assert_eq!(keys(&mut host), ["one", "two"]);
}

#[test]
fn no_write_is_lost_while_the_folder_is_wiped() {
    let runtime = crate::process::folder();
    let mut host = careful(runtime.path());
    let load = Load::start(runtime.path(), 2);
    for _ in 0..10 {
        wipe_content(runtime.path());
        load.goes_on();
        until_names_are_back(runtime.path());
    }
    load.end(&mut host).assert_clean();
}
