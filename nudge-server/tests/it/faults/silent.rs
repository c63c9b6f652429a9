//! A PRIMARY that does not answer is named, and can be ended; one that cannot serve is asked once.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread;

use nudge_client::platform::is_portable;
use rustix::process::Signal;
use serde_json::json;

use super::{command, keys, kill_primary, member, primary, printed, set};
use crate::process::{kill, printed as printed_by};
use crate::says::Says;

#[test]
fn a_primary_that_was_stopped_is_named_and_ended_by_force() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    let pid = primary(runtime.path());
    kill(pid, Signal::STOP);
    let ended = printed_by(&mut command(runtime.path(), &["get", "faults", "build"]));
    let who = if is_portable() {
        String::new()
    } else {
        format!(", process {pid},")
    };
    let words = format!("the server{who} does not answer; end it with `nudge stop --force`\n");
    assert_eq!(ended, (3, words));
    let said = host.request("nudge.query", json!({}));
    assert_eq!(said["error"]["data"]["reason"], "E_UNAVAILABLE", "{said}");
    // Nobody takes its place, and nobody ends it unasked.
    assert_eq!(primary(runtime.path()), pid);
    if is_portable() {
        // A number in a file is for the user to believe.
        let (status, said) = printed_by(&mut command(runtime.path(), &["stop", "--force"]));
        assert_eq!(status, 3);
        said.says(&format!("`kill -KILL {pid}`"));
        kill_primary(runtime.path());
        assert_eq!(keys(&mut host), ["build"]);
        return;
    }
    let said = printed(runtime.path(), &["stop", "--force"]);
    assert_eq!(said, "✔ stopped\n");
    assert!(keys(&mut host).is_empty());
    printed(runtime.path(), &["restore"]);
    assert_eq!(keys(&mut host), ["build"]);
}

/// Says of every request on a connection that it cannot be served; tells how many there were.
fn refuses_all(mut stream: UnixStream) -> usize {
    let body = r#"{"jsonrpc":"2.0","error":{"code":50301,"message":"not now"},"id":null}"#;
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut asked = 0;
    while stream.read(&mut [0; 8192]).unwrap() > 0 {
        stream.write_all(answer.as_bytes()).unwrap();
        asked += 1;
    }
    asked
}

#[test]
fn a_server_that_cannot_serve_is_asked_once() {
    let runtime = crate::process::folder();
    let listener = UnixListener::bind(runtime.path().join("nudge.sock")).unwrap();
    for typed in [
        "get build",
        "why build",
        "set build make",
        "bump build",
        "keep build",
        "delete build --yes",
    ] {
        let listener = listener.try_clone().unwrap();
        let served = thread::spawn(move || refuses_all(listener.accept().unwrap().0));
        let words: Vec<&str> = typed.split(' ').collect();
        let ended = printed_by(&mut command(runtime.path(), &words));
        assert_eq!(ended, (3, "not now\n".to_owned()), "{typed}");
        assert_eq!(served.join().unwrap(), 1, "{typed}");
    }
}
