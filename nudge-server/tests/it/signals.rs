//! How a server ends: by a signal, with its input, with its host.

use std::process::{Command, Stdio};

use nudge_client::Client;
use nudge_client::folder::Runtime;
use nudge_server::primary::operations::ServerOperation;
use rustix::process::Signal;
use serde_json::json;

use crate::mcp::host::{Ends, Host};
use crate::process::{NO_HOME, Server, folder, nudge_in, printed, serve, signal, until, within};
use crate::says::Says;

#[test]
fn a_host_that_says_nothing_and_hangs_up_leaves_no_trace() {
    let runtime = folder();
    let ended = printed(serve(runtime.path()).stdin(Stdio::piped()));
    assert_eq!(ended, (0, String::new()));
}

#[test]
fn a_primary_that_is_told_to_end_takes_its_socket_along_and_leaves_the_session() {
    let runtime = folder();
    let mut server = Server::start(runtime.path());
    assert!(runtime.path().join("server.pid").exists());
    assert_eq!(server.signal(Signal::TERM).code(), Some(0));
    assert!(!runtime.path().join("nudge.sock").exists());
    assert!(runtime.path().join("nudge.db").exists());
}

#[test]
fn what_a_server_logs_is_up_to_its_level_and_holds_no_value() {
    let logged = |level: &str| {
        let runtime = folder();
        let mut command = serve(runtime.path());
        command.args(["--log-level", level]).stderr(Stdio::piped());
        let mut server = Server::spawn(command);
        let mut nudge = nudge_in(runtime.path());
        let set = nudge.args(["set", "api", "build", "swordfish"]).output();
        assert!(set.unwrap().status.success());
        let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
        let hello = r#"{"pid": 7, "client": "codex/1"}"#;
        client.call_blocking(ServerOperation::Hello, hello).unwrap();
        drop(client);
        server.logged()
    };
    assert_eq!(logged("warn"), "");
    let (info, debug) = (logged("info"), logged("debug"));
    for words in ["PRIMARY of session s-", "\"codex/1\", has joined"] {
        info.says(words);
        debug.says(words);
    }
    let call = "nudge.set_hint by";
    info.hides(call);
    debug.says(call).hides("swordfish");
}

#[test]
fn a_command_is_one_call() {
    let runtime = folder();
    let mut command = serve(runtime.path());
    command
        .args(["--log-level", "debug"])
        .stderr(Stdio::piped());
    let mut server = Server::spawn(command);
    let commands = "set api build make, keep api build, get api build, why api build, \
        bump api build, mv api build b, delete api b --yes";
    for line in commands.split(", ") {
        let mut nudge = nudge_in(runtime.path());
        let output = nudge.args(line.split(' ')).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    }
    let logged = server.logged();
    let calls = logged
        .split(" by ")
        .filter_map(|before| before.rsplit_once("nudge."));
    let calls: Vec<&str> = calls.map(|(_, method)| method).collect();
    let one_each = "set_hint keep get_hint why bump mv delete_hint";
    assert_eq!(calls.join(" "), one_each, "{logged}");
}

#[test]
fn a_server_that_is_asked_to_stop_answers_and_ends() {
    let runtime = folder();
    let mut server = Server::start(runtime.path());
    let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
    let stopped = client.call_blocking(ServerOperation::Stop, "{}").unwrap();
    let expected = r#"{"stopped":true,"ended":0,"secrets":0,"kept":0,"until":0}"#;
    assert_eq!(stopped.get(), expected);
    assert_eq!(server.ended().code(), Some(0));
}

#[test]
fn a_client_on_stdio_that_asks_for_the_end_has_its_answer_first() {
    let runtime = folder();
    let mut host = Host::open(runtime.path(), Ends::Pipes);
    let said = host.request("nudge.stop", json!({}));
    assert_eq!(said["result"]["stopped"], true, "{said}");
    // It has the next session too.
    assert_eq!(host.hang_up().code(), Some(0));
}

#[test]
fn a_server_ends_with_its_host_even_when_its_pipe_stays_open() {
    let runtime = folder();
    // The shell is the host; the other end of the pipe is ours and stays open.
    let script = r#"exec 3<&0; "$0" serve --port 0 <&3 & wait"#;
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script, env!("CARGO_BIN_EXE_nudge")])
        .env("HOME", NO_HOME)
        .env("NUDGE_RUNTIME_DIR", runtime.path());
    // Once the opening is over it would start a PRIMARY, which outlives it.
    let mut host = Host::run(shell, Ends::Pipes);
    host.initialize("host");
    signal(host.child(), Signal::KILL);
    until("the server ends", || host.ask("ping", json!({})).is_none());
}

#[test]
fn a_server_in_the_background_that_is_not_needed_ends_by_itself() {
    let runtime = folder();
    let server = Server::start(runtime.path());
    let mut second = serve(runtime.path());
    second.arg("--background").stdin(Stdio::null());
    let output = within(move || second.output().unwrap());
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    let identity = Runtime::open(Some(runtime.path())).unwrap().identity();
    assert_eq!(identity.unwrap().pid, server.pid());
}
