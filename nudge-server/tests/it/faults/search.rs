//! A newcomer in a wiped folder looks for the PRIMARY before it begins a session.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;

use nudge_server::platform::runtime::Runtime;
use serde_json::json;

use super::not_tested;
use crate::client::{answering, result};
use crate::process::{PATIENCE, Server, within};

/// Where a newcomer looks.
const PORTS: std::ops::Range<u16> = 8765..8773;

#[test]
fn a_newcomer_waits_for_a_primary_that_has_lost_its_names() {
    let mut ports = PORTS.filter_map(|port| TcpListener::bind(("127.0.0.1", port)).ok());
    let Some(listener) = ports.next() else {
        not_tested("all ports from 8765 to 8772 are taken");
        return;
    };
    let runtime = tempfile::tempdir().unwrap();
    // This process is the PRIMARY: it says so on a port, and has the lock open,
    // which has no name any more.
    let lock = runtime.path().join("lock");
    let _held = File::create(&lock).unwrap();
    fs::remove_file(&lock).unwrap();
    let (told, looked) = mpsc::channel();
    thread::spawn(move || {
        let body = json!({"product": "nudge", "pid": std::process::id()}).to_string();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            let head = format!("HTTP/1.0 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            stream
                .write_all(format!("{head}{body}").as_bytes())
                .unwrap();
            if told.send(()).is_err() {
                return;
            }
        }
    });
    let path = runtime.path().to_owned();
    let starting = thread::spawn(move || Server::start(&path));
    looked.recv_timeout(PATIENCE).unwrap();
    // Its names are back: it has the lock, and answers on its socket.
    let folder = Runtime::open(Some(runtime.path())).unwrap();
    let _lock = within(move || folder.wait_for_lock().unwrap());
    // It is asked for both, and more than once if its connection ends early.
    let hello_and_status = json!({"product": "nudge", "version": "0.1.0", "protocol": "1.0",
        "pid": std::process::id(), "port": 1});
    let socket = runtime.path().join("nudge.sock");
    let requests = answering(&socket, vec![result(&hello_and_status); 8]);
    let newcomer = starting.join().unwrap();
    assert!(!newcomer.is_primary(), "{}", newcomer.line);
    assert!(
        requests
            .recv_timeout(PATIENCE)
            .unwrap()
            .contains("nudge.hello")
    );
}
