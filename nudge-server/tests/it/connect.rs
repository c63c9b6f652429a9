//! Programs in other languages that join the session: they share one store with the terminal.

use std::fs;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread;

use serde_json::{Value, json};

use crate::conformance::adapter::{Adapter, file, nothing_may_be_missing};
use crate::conformance::driver::{Surface, tell};
use crate::faults::{command, nudge};
use crate::process::{Folder, folder, printed};
use crate::says::Says;

#[test]
fn its_clients_know_what_only_the_server_does() {
    let document = fs::read_to_string(file("docs/openrpc.json")).unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    let methods = document["methods"].as_array().unwrap().iter();
    let names = methods.map(|method| method["name"].as_str().unwrap());
    let own = names.filter(|name| nudge::Operation::named(name).is_none());
    let own: Vec<&str> = own.map(|name| name.trim_start_matches("nudge.")).collect();
    assert_eq!(own.join(" "), nudge_client::OF_THE_SERVER);
}

/// A command in the session of a folder: what it prints, and whether it was done.
fn run(session: &Folder, words: &[&str]) -> (String, bool) {
    let output = nudge(session.path(), words);
    let text = String::from_utf8(output.stdout).unwrap();
    (text.trim_end().to_owned(), output.status.success())
}

#[test]
fn c() {
    joins("c", &[file("target/adapters/c")]);
}

#[test]
fn go() {
    joins("go", &[file("target/adapters/go")]);
}

#[test]
fn python() {
    let adapter = file("tests/conformance/adapters/adapter.py");
    joins("python", &[file("target/venv/bin/python"), adapter]);
}

fn joins(name: &str, command: &[PathBuf]) {
    let Some(mut program) = Adapter::start(command) else {
        let missing = format!("connect: {name}: SKIPPED; run `make adapters` first");
        assert!(!nothing_may_be_missing(), "{missing}");
        return tell(&missing);
    };
    let session = folder();
    // No server runs yet, so that this starts one.
    program.say(
        "connect",
        &json!({
            "runtime_dir": session.path(),
            "program": env!("CARGO_BIN_EXE_nudge"),
            "client": "tool/1",
        }),
    );
    let set = |value: &str| json!({"component": "api", "key": "build", "value": value});
    let hint = program.call("set_hint", &set("make")).unwrap();
    assert_eq!(hint["hint"]["meta"]["source"], "agent");
    assert_eq!(hint["hint"]["meta"]["origin"]["client"], "tool/1");
    assert_eq!(run(&session, &["get", "api", "build", "--raw"]).0, "make");

    // All of the session can be called by its name.
    if name != "python" {
        let status = program.call("status", &json!({})).unwrap();
        assert_eq!(status["role"], "primary", "{status}");
    }

    // What the user says stands.
    let set_by_user = ["set", "--everywhere", "api", "build", "make all"];
    assert!(run(&session, &set_by_user).1);
    let proposed = program.call("set_hint", &set("ninja")).unwrap();
    assert_eq!(proposed["proposal"]["id"], 1);
    let refused = program.call("accept", &json!({"id": 1})).unwrap_err();
    assert_eq!(refused["data"]["reason"], "E_FORBIDDEN");
    let slot = json!({"component": "api", "key": "build"});
    let found = |program: &mut Adapter| program.call("get_hint", &slot).unwrap();
    assert_eq!(found(&mut program)["hint"]["value"], "make all");
    let missed = program.call("get_hint", &json!({"component": "api", "key": "tset"}));
    assert_eq!(missed.unwrap_err()["data"]["detail"], "no_slot");

    // An agent by its name, and the session goes on when its server is restarted.
    program.caller(Some("agent codex s-1"));
    let test = json!({"component": "api", "key": "test", "value": "make test"});
    let hint: Value = program.call("set_hint", &test).unwrap();
    assert_eq!(hint["hint"]["meta"]["origin"]["client"], "codex");
    assert!(run(&session, &["restart"]).1);
    assert_eq!(found(&mut program)["hint"]["value"], "make all");
    drop(program);
    run(&session, &["stop", "--purge"]);
}

#[test]
fn who_comes_by_a_forwarded_socket_is_a_program() {
    let (desk, away) = (folder(), folder());
    assert!(run(&desk, &["set", "--everywhere", "api", "build", "make"]).1);
    let (to, listener) = (
        desk.path().join("nudge.sock"),
        away.path().join("nudge.sock"),
    );
    let listener = UnixListener::bind(listener).unwrap();
    thread::spawn(move || {
        for here in listener.incoming().map_while(Result::ok) {
            let there = UnixStream::connect(&to).unwrap();
            let pairs = [
                (here.try_clone().unwrap(), there.try_clone().unwrap()),
                (there, here),
            ];
            for (mut from, mut to) in pairs {
                thread::spawn(move || {
                    let _ = io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    let run = |words: &[&str]| {
        let mut command = command(away.path(), words);
        printed(command.env("NUDGE_AUTOSTART", "0")).1
    };
    assert_eq!(run(&["get", "api", "build", "--raw"]), "make\n");
    run(&["set", "--everywhere", "api", "build", "ninja"]).says("proposed");
    run(&["accept", "1"]).says("only the user may");
    assert_eq!(run(&["get", "api", "build", "--raw"]), "make\n");
}

/// A process in a PID namespace of its own, as in a container, is not told the number of one
/// outside of it.
#[cfg(target_os = "linux")]
#[test]
fn a_process_in_a_container_joins_by_the_folder() {
    if !rustix::process::geteuid().is_root() {
        return crate::guard::skipped("only root can make a PID namespace; run the tests as root");
    }
    let session = folder();
    assert!(run(&session, &["set", "--everywhere", "api", "build", "make"]).1);
    let mut joins = std::process::Command::new("unshare");
    joins
        .args(["--pid", "--fork", "--mount-proc"])
        .args([env!("CARGO_BIN_EXE_nudge"), "get", "api", "build", "--raw"])
        .env("HOME", crate::process::NO_HOME)
        .env("NUDGE_RUNTIME_DIR", session.path());
    assert_eq!(printed(&mut joins).1, "make\n");
}
