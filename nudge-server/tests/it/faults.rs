//! What can go wrong under a session: members that die, freeze and come at once,
//! folders that are wiped, disks that are full.

mod disk;
mod ends;
mod load;
mod many;
mod portable;
mod races;
mod recovery;
mod silent;
mod soak;
mod wiped;

use nudge_server::primary::operations::ServerOperation;
use std::fs;
use std::io::{Write, stderr};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use nudge_client::Client;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::mcp::host::{Ends, Host};
use crate::process::{kill, serve, until};

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

/// The process that is PRIMARY, which is nobody's child.
fn primary(runtime: &Path) -> u32 {
    crate::process::primary(runtime).unwrap()
}

/// Ends the PRIMARY without a warning, and waits until it is gone.
fn kill_primary(runtime: &Path) {
    let old = primary(runtime);
    kill(old, Signal::KILL);
    until("the PRIMARY is gone", || {
        crate::process::primary(runtime) != Some(old)
    });
}

/// A command of the CLI in a session folder.
pub(crate) fn command(runtime: &Path, words: &[&str]) -> Command {
    let mut command = crate::process::nudge();
    command.args(words).env("NUDGE_RUNTIME_DIR", runtime);
    command.stdin(Stdio::null());
    command
}

/// Runs a command of the CLI in a session folder.
pub(crate) fn nudge(runtime: &Path, words: &[&str]) -> Output {
    command(runtime, words).output().unwrap()
}

/// What a command says that cannot be done, or besides.
fn said(runtime: &Path, words: &[&str]) -> String {
    String::from_utf8(nudge(runtime, words).stderr).unwrap()
}

/// What a command prints as JSON.
pub(crate) fn json(runtime: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&printed(runtime, words)).unwrap()
}

/// What a command prints that must succeed.
pub(crate) fn printed(runtime: &Path, words: &[&str]) -> String {
    let output = nudge(runtime, words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Asks the PRIMARY to end the session, as `nudge stop` does.
fn stop(runtime: &Path) {
    let client = Client::unix(&runtime.join("nudge.sock")).unwrap();
    client.call_blocking(ServerOperation::Stop, "{}").unwrap();
}

/// Whether a text is in a file of a folder.
pub(crate) fn holds(folder: &Path, text: &str) -> bool {
    let entries = fs::read_dir(folder).unwrap();
    let mut bytes = entries.filter_map(|entry| fs::read(entry.unwrap().path()).ok());
    bytes.any(|bytes| String::from_utf8_lossy(&bytes).contains(text))
}

/// Says aloud that something is not tested here. What a test prints otherwise is
/// shown only when it fails.
fn not_tested(why: &str) {
    let line = format!("NOT TESTED: {why}\n");
    stderr().write_all(line.as_bytes()).unwrap();
}
