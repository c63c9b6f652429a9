//! How a server ends: by a signal, with its input, with its host.

use nudge_server::primary::operations::ServerOperation;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use nudge_client::Client;
use nudge_client::folder::Runtime;
use rustix::process::Signal;

use crate::process::{Server, serve, signal, status, within};

/// What a host says first; whoever answers it hears signals.
const OPENING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
    r#""capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    "\n"
);

/// Waits for the answer to the opening.
fn answered(output: impl Read + Send + 'static) -> impl Read + Send + 'static {
    within(move || {
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.starts_with(r#"{"jsonrpc":"2.0","#), "{line:?}");
        output
    })
}

/// A server whose host holds its pipes open.
fn on_pipes(runtime: &Path) -> (Child, ChildStdin) {
    let mut command = serve(runtime);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(OPENING.as_bytes()).unwrap();
    answered(child.stdout.take().unwrap());
    (child, input)
}

/// A server on sockets, as hosts that run on Node give it.
fn on_sockets(runtime: &Path) -> (Child, UnixStream) {
    let (mut input, theirs) = UnixStream::pair().unwrap();
    let (output, writes) = UnixStream::pair().unwrap();
    let child = serve(runtime)
        .stdin(OwnedFd::from(theirs))
        .stdout(OwnedFd::from(writes))
        .spawn()
        .unwrap();
    input.write_all(OPENING.as_bytes()).unwrap();
    answered(output);
    (child, input)
}

const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

#[test]
fn a_signal_ends_a_server_cleanly_while_its_pipe_stays_open() {
    for sent in SIGNALS {
        let runtime = crate::process::folder();
        let (child, _input) = on_pipes(runtime.path());
        signal(&child, sent);
        assert_eq!(status(child).code(), Some(0), "{sent:?}");
    }
}

#[test]
fn a_signal_ends_a_server_cleanly_while_its_socket_stays_open() {
    for sent in SIGNALS {
        let runtime = crate::process::folder();
        let (child, _input) = on_sockets(runtime.path());
        signal(&child, sent);
        assert_eq!(status(child).code(), Some(0), "{sent:?}");
    }
}

#[test]
fn the_end_of_input_ends_a_server_cleanly() {
    let runtime = crate::process::folder();
    let (child, input) = on_pipes(runtime.path());
    drop(input);
    assert_eq!(status(child).code(), Some(0));
    let (child, input) = on_sockets(runtime.path());
    drop(input);
    assert_eq!(status(child).code(), Some(0));
}

#[test]
fn a_host_that_says_nothing_and_hangs_up_leaves_no_trace() {
    let runtime = crate::process::folder();
    let output = serve(runtime.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    assert!(
        output.stderr.is_empty(),
        "{:?}",
        String::from_utf8(output.stderr)
    );
}

#[test]
fn a_primary_that_is_told_to_end_takes_its_socket_along_and_leaves_the_session() {
    let runtime = crate::process::folder();
    let mut child = serve(runtime.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    within(move || {
        BufReader::new(output)
            .read_line(&mut String::new())
            .unwrap()
    });
    assert!(runtime.path().join("server.pid").exists());
    signal(&child, Signal::TERM);
    assert_eq!(status(child).code(), Some(0));
    assert!(!runtime.path().join("nudge.sock").exists());
    assert!(runtime.path().join("nudge.db").exists());
}

#[test]
fn what_a_server_logs_is_up_to_its_level_and_holds_no_value() {
    let logged = |level: &str| {
        let runtime = crate::process::folder();
        let mut command = serve(runtime.path());
        command.args(["--log-level", level]).stderr(Stdio::piped());
        let mut server = Server::spawn(command);
        let mut nudge = crate::process::nudge();
        nudge
            .args(["set", "api", "build", "swordfish"])
            .env("NUDGE_RUNTIME_DIR", runtime.path());
        assert!(nudge.output().unwrap().status.success());
        let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
        client
            .call_blocking(ServerOperation::Hello, r#"{"pid": 7, "client": "codex/1"}"#)
            .unwrap();
        drop(client);
        server.logged()
    };
    assert_eq!(logged("warn"), "");
    let (info, debug) = (logged("info"), logged("debug"));
    for words in ["PRIMARY of session s-", "\"codex/1\", has joined"] {
        assert!(
            info.contains(words) && debug.contains(words),
            "{info}{debug}"
        );
    }
    let call = "nudge.set_hint by";
    assert!(
        !info.contains(call) && debug.contains(call),
        "{info}{debug}"
    );
    assert!(!debug.contains("swordfish"), "{debug}");
}

#[test]
fn a_server_that_is_asked_to_stop_answers_and_ends() {
    let runtime = crate::process::folder();
    let mut child = serve(runtime.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    within(move || {
        BufReader::new(output)
            .read_line(&mut String::new())
            .unwrap()
    });
    let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
    let stopped = client.call_blocking(ServerOperation::Stop, "{}").unwrap();
    assert_eq!(
        stopped.get(),
        r#"{"stopped":true,"ended":0,"secrets":0,"kept":0}"#
    );
    assert_eq!(status(child).code(), Some(0));
}

#[test]
fn a_client_on_stdio_that_asks_for_the_end_has_its_answer_first() {
    let runtime = crate::process::folder();
    let mut command = serve(runtime.path());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(OPENING.as_bytes()).unwrap();
    let output = answered(child.stdout.take().unwrap());
    let calls = concat!(
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"nudge.stop"}"#,
        "\n"
    );
    input.write_all(calls.as_bytes()).unwrap();
    // It has the next session too.
    let mut lines = BufReader::new(output).lines().map(Result::unwrap);
    let said = within(move || lines.find(|line| line.contains(r#""id":2"#)).unwrap());
    assert!(said.contains(r#""stopped":true"#), "{said:?}");
    drop(input);
    assert_eq!(status(child).code(), Some(0));
}

#[test]
fn a_server_ends_with_its_host_even_when_its_pipe_stays_open() {
    let runtime = crate::process::folder();
    // The shell is the host; the other end of the pipe is ours and stays open.
    let script = r#"exec 3<&0; "$0" serve --port 0 <&3 & wait"#;
    let mut host = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_nudge")])
        .env("NUDGE_RUNTIME_DIR", runtime.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = host.stdin.take().unwrap();
    input.write_all(OPENING.as_bytes()).unwrap();
    let mut output = answered(host.stdout.take().unwrap());
    host.kill().unwrap();
    host.wait().unwrap();
    // The output is the server's alone now, and ends with it.
    within(move || output.read_to_end(&mut Vec::new()).unwrap());
    drop(input);
}

#[test]
fn a_server_in_the_background_that_is_not_needed_ends_by_itself() {
    let runtime = crate::process::folder();
    let server = Server::start(runtime.path());
    let second = serve(runtime.path())
        .arg("--background")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = within(move || second.wait_with_output().unwrap());
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    let identity = Runtime::open(Some(runtime.path())).unwrap().identity();
    assert_eq!(identity.unwrap().pid, server.pid());
}
