//! `nudge watch`: every change once, whoever is PRIMARY, for as long as somebody reads.

pub(crate) mod follower;

use nudge::Operation;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread;

use nudge::Config;
use nudge_client::Client;
use serde_json::{Value, json};

use self::follower::{Watcher, events, read_once, set};
use crate::client::result;
use crate::folder_server::FolderServer;
use crate::process::{Server, nudge_in, until};
use crate::says::Says;

const START: &str = "2025-11-04T10:00:00Z";

/// Somebody types a line, and it is done.
fn type_in(server: &FolderServer, line: &str) {
    let typed = server.nudge().args(line.split(' ')).output().unwrap();
    assert!(typed.status.success(), "{line}: {typed:?}");
}

/// Ends the server of a folder that nobody else would end, also when the test fails.
struct Stopped<'a>(&'a Path);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        let _ = nudge_in(self.0).arg("stop").output();
    }
}

fn stop(runtime: &Path) {
    let stopped = nudge_in(runtime).arg("stop").output().unwrap();
    assert!(stopped.status.success());
}

#[test]
fn what_happens_is_a_line_at_once() {
    let server = FolderServer::start(Config::default(), START);
    let watcher = Watcher::start(server.nudge(), server.folder());
    set(server.folder(), "api", "build", "make");
    let first = "10:00:00 set      api/build: make (over cli)";
    assert_eq!(watcher.line(), first);
    for (line, told) in [
        (
            "bump api build",
            "10:00:00 bump     api/build: make (nudge/",
        ),
        ("context ports 8080", "10:00:00 context  ports 8080 (nudge/"),
        ("delete api build", "10:00:00 delete   api/build (nudge/"),
    ] {
        type_in(&server, line);
        watcher.line_says(told, " over cli)");
    }
}

#[test]
fn who_decides_about_a_proposal_is_told() {
    let server = FolderServer::start(Config::default(), START);
    for key in ["build", "test"] {
        set(server.folder(), "api", key, "make");
    }
    let watcher = Watcher::start(server.nudge(), server.folder());
    for key in ["build", "test"] {
        type_in(&server, &format!("set api {key} cmake --source agent"));
        watcher.line().says(&format!(" api/{key}: cmake ("));
    }
    for (command, id, key) in [("reject", "1", "build"), ("accept", "2", "test")] {
        type_in(&server, &format!("{command} {id}"));
        let told = format!("10:00:00 dismiss  api/{key} (nudge/");
        watcher.line_says(&told, " over cli)");
    }
    assert!(watcher.line().contains("set      api/test: cmake"));
}

#[test]
fn no_value_acts_upon_the_terminal_and_no_secret_is_shown() {
    let server = FolderServer::start(Config::default(), START);
    let watcher = Watcher::start(server.nudge(), server.folder());
    set(server.folder(), "api", "build", "\u{1b}[2Jmake\r\nall");
    let line = watcher.line();
    line.says(r": \x1b[2Jmake\r\nall (");
    type_in(&server, "set api token swordfish --allow-secret");
    let line = watcher.line();
    line.says("api/token: *** (nudge/");
}

#[test]
fn as_json_a_line_is_the_data_of_the_event() {
    let server = FolderServer::start(Config::default(), START);
    let watcher = Watcher::asked(server.nudge(), &["--json"], server.folder());
    set(server.folder(), "api", "build", "two\nlines");
    set(server.folder(), "web", "build", "\u{1b}");
    let lines = [watcher.line(), watcher.line()];

    let told = events(&server.folder().join("nudge.sock"), "");
    let told: Vec<String> = told.filter(|data| !data.contains("warm")).take(2).collect();
    assert_eq!(told, lines);
    let first: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(first["hint"]["value"], "two\nlines");
}

#[test]
fn only_the_components_that_were_asked_for_are_shown() {
    let server = FolderServer::start(Config::default(), START);
    let flags = ["api", "warm", "db"].map(|name| ["--component", name]);
    let watcher = Watcher::asked(server.nudge(), flags.as_flattened(), server.folder());
    for component in ["api", "web", "db"] {
        set(server.folder(), component, "build", "make");
    }
    assert!(watcher.line().contains(" api/build"));
    assert!(watcher.line().contains(" db/build"));
    // What is being worked on concerns none of them; that all is gone concerns everybody.
    let payload =
        json!({"payload": {"schema_version": "1.0", "components": {}}, "mode": "replace"});
    let client = Client::unix(&server.folder().join("nudge.sock")).unwrap();
    for (method, params) in [
        (Operation::SetContext, json!({"sets": {"ports": [8080]}})),
        (Operation::Import, payload),
    ] {
        let done = client.call_blocking(method, &params.to_string());
        done.unwrap();
    }
    assert_eq!(watcher.line(), "10:00:00 clear    everything (over cli)");
}

#[test]
fn a_port_tells_the_same_as_the_socket() {
    let runtime = crate::process::folder();
    let server = Server::start(runtime.path());
    let (_, port) = server.address().split_once(':').unwrap();
    let watcher = Watcher::asked(nudge_in(runtime.path()), &["-p", port], runtime.path());
    set(runtime.path(), "api", "build", "make");
    let line = watcher.line();
    assert!(line.ends_with("api/build: make (over cli)"), "{line}");
}

#[test]
fn a_server_that_crashed_alone_is_started_anew_and_its_session_goes_on() {
    let runtime = crate::process::folder();
    let server = Server::start(runtime.path());
    let _at_the_end = Stopped(runtime.path());
    let mut command = nudge_in(runtime.path());
    command.env("NUDGE_AUTOSTART", "1");
    let watcher = Watcher::start(command, runtime.path());
    set(runtime.path(), "api", "before", "1");
    assert!(watcher.line().contains("api/before"));
    server.kill();
    assert_eq!(watcher.note(), "the server is gone; reconnecting");
    let socket = runtime.path().join("nudge.sock");
    until("another serves", || Client::unix(&socket).is_ok());
    set(runtime.path(), "api", "build", "make");
    assert!(watcher.line().contains("api/build"));
    stop(runtime.path());
    let (code, lines, notes) = watcher.ended();
    let ended = ["the server is gone; reconnecting", "the session has ended"];
    assert_eq!((code, lines), (Some(0), vec![]));
    assert_eq!(notes, ended);
}

#[test]
fn where_none_may_be_started_a_crash_is_the_end_and_there_is_no_beginning() {
    let runtime = crate::process::folder();
    let server = Server::start(runtime.path());
    let watcher = Watcher::start(nudge_in(runtime.path()), runtime.path());
    server.kill();
    let (code, _, notes) = watcher.ended();
    assert_eq!(code, Some(3));
    let last = "no server is running; start one with `nudge serve`";
    assert_eq!(notes.last().unwrap(), last);
    let output = nudge_in(runtime.path()).arg("watch").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(words, format!("{last}\n"));
}

#[test]
fn it_ends_with_the_session() {
    let runtime = crate::process::folder();
    let _primary = Server::start(runtime.path());
    // A PROXY stays, and begins another session with its next call.
    let proxy = Server::start(runtime.path());
    assert!(!proxy.is_primary());
    let watcher = Watcher::start(nudge_in(runtime.path()), runtime.path());
    stop(runtime.path());
    let (code, _, notes) = watcher.ended();
    assert_eq!(code, Some(0));
    assert_eq!(notes.last().unwrap(), "the session has ended");
}

#[test]
fn it_ends_when_nobody_reads_any_more_although_nothing_happens() {
    let server = FolderServer::start(Config::default(), START);
    let (code, notes) = read_once(server.nudge(), server.folder());
    assert_eq!((code, notes), (Some(0), vec![]));
}

/// A server that tells of some events in its own way, once, and ends.
fn telling(socket: &Path, events: &'static str) {
    let listener = UnixListener::bind(socket).unwrap();
    let status = result(&json!({"session_id": "s-1", "last_change": 1}));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).unwrap();
            let is_call = request.get(..length).unwrap().starts_with(b"POST ");
            let answer = if is_call {
                let length = status.len();
                format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{status}")
            } else {
                format!("HTTP/1.0 200 OK\r\n\r\n{events}")
            };
            stream.write_all(answer.as_bytes()).unwrap();
            if !is_call {
                return;
            }
        }
    });
}

#[test]
fn what_nobody_could_tell_is_counted_and_what_was_told_is_not_told_again() {
    let runtime = crate::process::folder();
    let folder = runtime.path().join("nudge");
    fs::create_dir(&folder).unwrap();
    telling(
        &folder.join("nudge.sock"),
        ":\n\nid: 1\ndata: {\"old\":1}\n\nid: 5\ndata: {\"a\":\"\\u001b\"}\n\n\
         id: 5\ndata: {\"a\":2}\n\nid: 7\r\ndata: no\u{1b}json\r\n\r\n",
    );
    let output = nudge_in(&folder).arg("watch").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    assert_eq!(text(output.stdout), "{\"a\":\"\\u001b\"}\nno\\x1bjson\n");
    let notes = "3 changes were missed\n1 change was missed\n\
                 the server is gone; reconnecting\nthe session has ended\n";
    assert_eq!(text(output.stderr), notes);
    assert_eq!(output.status.code(), Some(0));
}
