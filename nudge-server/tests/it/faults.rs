//! What can go wrong under a session: members that die, freeze and come at once,
//! folders that are wiped, disks that are full.

mod disk;
mod ends;
mod load;
mod many;
mod recovery;
mod search;
mod soak;
mod stopped;
mod wiped;

use nudge_server::primary::operations::ServerOperation;
use std::io::{Write, stderr};
use std::path::Path;
use std::process::Command;

use nudge_server::proxy::client::Client;
use serde_json::{Value, json};

use crate::mcp::host::{Ends, Host};
use crate::process::{serve, until};

/// A member of the session in a folder, with a client on its pipes.
fn member(runtime: &Path) -> Host {
    member_by(serve(runtime))
}

/// A member that a command starts, and that has found its place.
fn member_by(command: Command) -> Host {
    let mut host = Host::run(command, Ends::Pipes).opened();
    result(&mut host, "nudge.hello", json!({}));
    host
}

/// The result of a call that must have one.
fn result(host: &mut Host, method: &str, params: Value) -> Value {
    let mut said = host.request(method, params);
    assert!(said.get("result").is_some(), "{method}: {said}");
    said["result"].take()
}

fn set(host: &mut Host, key: &str, value: &str) -> Value {
    let params = json!({"component": "faults", "key": key, "value": value});
    result(host, "nudge.set_hint", params)
}

/// The keys that a client sees, in order.
fn keys(host: &mut Host) -> Vec<String> {
    let found = result(host, "nudge.query", json!({"limit": 100}));
    let hints = found["hints"].as_array().unwrap();
    let mut keys: Vec<String> = hints
        .iter()
        .map(|hint| hint["key"].as_str().unwrap().to_owned())
        .collect();
    keys.sort();
    keys
}

/// What the PRIMARY says of itself, as a client sees it.
fn status(host: &mut Host) -> Value {
    result(host, "nudge.status", json!({}))
}

/// What stays when a session goes on: its name and its port.
fn place(host: &mut Host) -> (Value, Value) {
    let mut status = status(host);
    (status["session_id"].take(), status["port"].take())
}

fn pid(host: &Host) -> u32 {
    host.child().id()
}

/// Waits until the members that the PRIMARY knows are so many.
fn until_members(host: &mut Host, count: usize) {
    until("the members are known", || {
        status(host)["members"].as_array().unwrap().len() == count
    });
}

/// Asks the PRIMARY to end the session, as `nudge stop` does.
fn stop(runtime: &Path) {
    let client = Client::unix(&runtime.join("nudge.sock")).unwrap();
    client.call_blocking(ServerOperation::Stop, "{}").unwrap();
}

/// Says aloud that something is not tested here. What a test prints otherwise is
/// shown only when it fails.
fn not_tested(why: &str) {
    let line = format!("NOT TESTED: {why}\n");
    stderr().write_all(line.as_bytes()).unwrap();
}
