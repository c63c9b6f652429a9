//! The server, and what the folder says of it.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::net::UnixListener;
use std::thread;

use nudge_client::folder::Runtime;
use nudge_server::wire::identity::{PROTOCOL, VERSION};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{Findings, Patient, answering, chmod};
use crate::process::{Server, within};
use crate::slow_server::slow_server;

/// What a server says of itself, of some version.
fn status(version: &str, protocol: &str) -> Value {
    json!({
        "product": "nudge", "version": version, "protocol": protocol, "port": 0,
        "session_id": "s-1", "members": [{"pid": 7, "role": "primary"}],
    })
}

#[test]
fn a_server_that_runs_is_fine_in_all_its_parts() {
    let patient = Patient::new();
    let server = Server::start(&patient.runtime());
    let findings = patient.looked_at();
    assert!(
        !findings.any("odd") && !findings.any("bad"),
        "{:?}",
        findings.all
    );
    assert_eq!(findings.exit, 0);
    let pid = server.pid();
    let [_, words, _] = findings.one("server");
    let expected = format!("nudge {VERSION} answers, process {pid}, session `s-");
    assert!(words.starts_with(&expected), "{words}");
    let expected = format!("http://{} answers as this session", server.address());
    assert_eq!(findings.one("port"), ["good", &expected, ""]);
    assert_eq!(findings.one("store")[0], "good");
}

#[test]
fn no_server_is_fine_and_none_is_started() {
    let patient = Patient::with_folder();
    let findings = patient.looked_at();
    let none = ["good", "none runs; the first command starts one", ""];
    assert_eq!(findings.one("server"), none);
    assert_eq!(fs::read_dir(patient.runtime()).unwrap().count(), 0);
    let findings = Findings::of(patient.doctor().env("NUDGE_AUTOSTART", "0"));
    let words = "none runs, and NUDGE_AUTOSTART keeps commands from starting one";
    assert_eq!(findings.one("server"), ["odd", words, "nudge serve"]);
    assert_eq!(findings.exit, 0);
}

#[test]
fn a_server_that_was_stopped_or_hangs_is_named_and_not_waited_for() {
    let patient = Patient::new();
    let server = Server::start(&patient.runtime());
    let pid = Pid::from_raw(i32::try_from(server.pid()).unwrap()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    let findings = patient.looked_at();
    let why = "does not answer, because it was stopped";
    let told = format!("2: bad: process {pid} {why} [kill -CONT {pid}]");
    assert_eq!(findings.told("server"), told);

    let patient = Patient::with_folder();
    slow_server(&patient.file("nudge.sock"));
    let me = std::process::id();
    let findings = within(move || patient.looked_at());
    let told = format!("2: bad: process {me} does not answer [nudge stop --force]");
    assert_eq!(findings.told("server"), told);
}

#[test]
fn a_lock_without_a_socket_is_somebody_who_does_not_answer() {
    let patient = Patient::with_folder();
    let runtime = Runtime::open(Some(&patient.runtime())).unwrap();
    let _lock = runtime.try_lock().unwrap().unwrap();
    let me = std::process::id();
    let told = format!("2: bad: process {me} does not answer [nudge stop --force]");
    for _ in 0..2 {
        assert_eq!(patient.looked_at().told("server"), told);
        // A socket that nobody listens on is none.
        let socket = patient.file("nudge.sock");
        let _ = UnixListener::bind(socket);
    }
}

#[test]
fn a_server_of_another_version_or_none_of_ours_is_told_apart_and_one_without_a_port_is_odd() {
    let me = std::process::id();
    for (answer, about, told) in [
        (
            status("9.9.9", PROTOCOL),
            "server",
            format!("0: odd: process {me} is nudge 9.9.9, this is nudge {VERSION} [nudge restart]"),
        ),
        (
            status("9.9.9", "2.0"),
            "server",
            format!(
                "2: bad: process {me} is nudge 9.9.9 with protocol 2.0, this is nudge {VERSION} with \
                 protocol {PROTOCOL}; they do not understand each other [nudge restart]"
            ),
        ),
        (
            json!("pong"),
            "server",
            format!("2: bad: process {me} answers, but not as Nudge does [nudge stop --force]"),
        ),
        (
            status(VERSION, PROTOCOL),
            "port",
            "0: odd: no free port; serving on the socket only [nudge restart]".to_owned(),
        ),
    ] {
        let patient = Patient::with_folder();
        answering(&patient.file("nudge.sock"), &answer);
        assert_eq!(patient.looked_at().told(about), told);
    }
}

#[test]
fn another_program_on_the_port_that_was_asked_for_is_not_ours() {
    let patient = Patient::new();
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let greeting = thread::spawn(move || {
        let (mut stream, _) = other.accept().unwrap();
        stream.write_all(b"220 mail.example.com ESMTP\r\n").unwrap();
    });
    let findings = Findings::of(patient.doctor().args(["-p", &port]));
    greeting.join().unwrap();
    let [state, words, fix] = findings.one("port");
    assert_eq!([state, fix], ["bad", "nudge status"], "{words}");
    assert_eq!(findings.exit, 2);

    // Nor is one where somebody says nothing, and one where nobody is.
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = silent.local_addr().unwrap().port().to_string();
    let bad = |words: &str| {
        let findings = Findings::of(patient.doctor().args(["-p", &port]));
        let [state, said, _] = findings.one("port");
        assert!(state == "bad" && said.starts_with(words), "{said}");
    };
    bad(&format!(
        "port {port} accepts connections but does not respond"
    ));
    drop(silent);
    bad(&format!("nobody answers on port {port} ("));
}

#[test]
fn a_look_alike_on_the_port_that_was_asked_for_is_not_ours() {
    let patient = Patient::new();
    let _server = Server::start(&patient.runtime());
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    thread::spawn(move || {
        for stream in other.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let body = r#"{"product":"nudge"}"#;
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-length: 19\r\n\r\n{body}"
            );
        }
    });
    let words = format!(
        "port {port} is not this session's (port {port} is another server's than the one of the \
         session folder; see `nudge status` for the port of yours)"
    );
    let (mut doctor, mut portable) = (patient.doctor(), patient.doctor());
    portable.env("NUDGE_PORTABLE", "1");
    for doctor in [&mut doctor, &mut portable] {
        let findings = Findings::of(doctor.args(["-p", &port]));
        assert_eq!(findings.one("port"), ["bad", &words, "nudge status"]);
    }
}

#[test]
fn no_secret_is_shown() {
    let patient = Patient::new();
    let _server = Server::start(&patient.runtime());
    let token = fs::read_to_string(patient.file("token")).unwrap();
    let identity = fs::read(patient.file("server.pid")).unwrap();
    let identity: Value = serde_json::from_slice(&identity).unwrap();
    chmod(&patient.file("token"), 0o644);
    for flags in [&[][..], &["--json"]] {
        let shown = patient.doctor().args(flags).output().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.contains("token"), "{shown}");
        assert!(!shown.contains(token.trim()), "{shown}");
        let nonce = identity["nonce"].as_str().unwrap();
        assert!(!shown.contains(nonce), "{shown}");
    }
}
