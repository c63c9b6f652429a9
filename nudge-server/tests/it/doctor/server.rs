//! The server, and what the folder says of it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};
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

fn identity(pid: u32) -> String {
    let identity = json!({
        "product": "nudge", "version": VERSION, "protocol": PROTOCOL, "pid": pid, "port": 0,
        "started": "2025-11-04T10:00:00.000Z", "session_id": "s-1", "nonce": "swordfish",
    });
    identity.to_string()
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
    assert_eq!(findings.one("members")[1], format!("{pid} (primary)"));
    let [_, words, _] = findings.one("identity");
    assert_eq!(
        words,
        format!("lock, socket and PID file agree on process {pid}")
    );
    let expected = format!("http://{} answers as this session", server.address());
    assert_eq!(findings.about("port")[0], ["good", &expected, ""]);
    let [state, words, _] = findings.one("store");
    assert!(
        state == "good" && words.starts_with("`nudge.db`, "),
        "{words}"
    );
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
fn what_a_crash_left_behind_is_told_from_a_server() {
    let patient = Patient::new();
    let server = Server::start(&patient.runtime());
    server.kill();
    let findings = patient.looked_at();
    let words = "none runs; the last one left its socket, which the next one replaces";
    assert_eq!(findings.one("server"), ["odd", words, "nudge ls"]);
    assert_eq!(findings.one("store")[0], "good");

    fs::remove_file(patient.file("nudge.sock")).unwrap();
    let findings = patient.looked_at();
    // The next one of the session finds its port there.
    assert!(patient.file("server.pid").exists());
    assert!(findings.about("identity").is_empty());
    assert_eq!(findings.exit, 0);
}

#[test]
fn a_server_that_was_stopped_or_hangs_is_named_and_not_waited_for() {
    let patient = Patient::new();
    let server = Server::start(&patient.runtime());
    let pid = Pid::from_raw(i32::try_from(server.pid()).unwrap()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    let findings = patient.looked_at();
    let words = format!("process {pid} listens, but does not answer, because it was stopped");
    let fix = format!("kill -CONT {pid}");
    assert_eq!(findings.one("server"), ["bad", &words, &fix]);
    assert_eq!(findings.exit, 2);

    let patient = Patient::with_folder();
    slow_server(&patient.file("nudge.sock"));
    let me = std::process::id();
    let findings = within(move || patient.looked_at());
    let words = format!("process {me} listens, but does not answer");
    assert_eq!(
        findings.one("server"),
        ["bad", &words, "nudge stop --force"]
    );
}

#[test]
fn a_lock_without_a_socket_is_somebody_who_does_not_answer() {
    let patient = Patient::with_folder();
    let runtime = Runtime::open(Some(&patient.runtime())).unwrap();
    let _lock = runtime.try_lock().unwrap().unwrap();
    let me = std::process::id();
    let findings = patient.looked_at();
    let words = format!("process {me} holds the lock, but has no socket");
    assert_eq!(
        findings.one("server"),
        ["bad", &words, "nudge stop --force"]
    );
    drop(UnixListener::bind(patient.file("nudge.sock")).unwrap());
    let findings = patient.looked_at();
    let words = format!("process {me} holds the lock, but does not listen on the socket");
    assert_eq!(
        findings.one("server"),
        ["bad", &words, "nudge stop --force"]
    );
}

#[test]
fn a_server_of_another_version_is_odd_and_of_another_protocol_bad() {
    let me = std::process::id();
    let looked_at = |version, protocol| {
        let patient = Patient::with_folder();
        answering(&patient.file("nudge.sock"), &status(version, protocol));
        let findings = patient.looked_at();
        let [state, words, fix] = findings.one("server");
        (
            state.to_owned(),
            words.to_owned(),
            fix.to_owned(),
            findings.exit,
        )
    };
    let words = format!("process {me} is nudge 9.9.9, this is nudge {VERSION}");
    let fix = "nudge restart";
    let odd = ("odd".to_owned(), words, fix.to_owned(), 0);
    assert_eq!(looked_at("9.9.9", PROTOCOL), odd);
    let words = format!(
        "process {me} is nudge 9.9.9 with protocol 2.0, this is nudge {VERSION} with protocol \
         {PROTOCOL}; they do not understand each other"
    );
    let bad = ("bad".to_owned(), words, "nudge restart".to_owned(), 2);
    assert_eq!(looked_at("9.9.9", "2.0"), bad);
}

#[test]
fn a_server_that_does_not_speak_as_nudge_does_is_no_server() {
    let me = std::process::id();
    let patient = Patient::with_folder();
    answering(&patient.file("nudge.sock"), &json!("pong"));
    let findings = patient.looked_at();
    let words = format!("process {me} answers, but not as Nudge does");
    assert_eq!(
        findings.one("server"),
        ["bad", &words, &format!("kill {me}")]
    );
}

#[test]
fn lock_socket_and_pid_file_must_mean_the_same_process() {
    let me = std::process::id();
    let patient = Patient::with_folder();
    answering(&patient.file("nudge.sock"), &status(VERSION, PROTOCOL));
    let told = || {
        let findings = patient.looked_at();
        let [state, words, fix] = findings.one("identity");
        (state.to_owned(), words.to_owned(), fix.to_owned())
    };
    let said = |state: &str, words: String, fix: &str| (state.to_owned(), words, fix.to_owned());
    let words = "there is no PID file, so no client can check the port".to_owned();
    assert_eq!(told(), said("odd", words, "nudge stop"));

    fs::write(patient.file("server.pid"), identity(me)).unwrap();
    let words = format!("process {me} answers, but does not hold the lock");
    assert_eq!(told(), said("odd", words, "nudge stop"));

    let runtime = Runtime::open(Some(&patient.runtime())).unwrap();
    let lock = runtime.try_lock().unwrap().unwrap();
    let words = format!("lock, socket and PID file agree on process {me}");
    assert_eq!(told(), said("good", words, ""));

    fs::write(patient.file("server.pid"), identity(1)).unwrap();
    let removal = format!("rm -r {}", patient.file("server.pid").display());
    let words = format!("the PID file names process 1, but process {me} answers");
    assert_eq!(told(), said("odd", words, &removal));
    drop(lock);

    // Another process takes the lock, and shows by an echo that it has it.
    let mut other = Command::new("flock");
    let mut other = other.arg(patient.file("lock")).arg("cat");
    other = other.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut other = other.spawn().unwrap();
    let (mut input, output) = (other.stdin.take().unwrap(), other.stdout.take().unwrap());
    writeln!(input, "held").unwrap();
    BufReader::new(output)
        .read_line(&mut String::new())
        .unwrap();
    let words = format!(
        "process {me} answers, but process {} holds the lock",
        other.id()
    );
    assert_eq!(told(), said("bad", words, &format!("kill {me}")));
    drop(input);
    other.wait().unwrap();
}

#[test]
fn a_server_without_a_store_or_a_port_is_odd() {
    let patient = Patient::with_folder();
    answering(&patient.file("nudge.sock"), &status(VERSION, PROTOCOL));
    let findings = patient.looked_at();
    let words = "`nudge.db` is gone, and is made again within ten seconds; is the disk full?";
    let fix = format!("df {}", patient.runtime().display());
    assert_eq!(findings.one("store"), ["odd", words, &fix]);
    let words = "the server has none, for all it tried were taken; its socket serves";
    let found = findings.about("port");
    assert_eq!(found[0], ["odd", words, "nudge serve --port 0"]);
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
    let words = format!("port {port} is another program's, not Nudge's");
    assert_eq!(findings.about("port")[0], ["bad", &words, "nudge serve"]);
    assert_eq!(findings.exit, 2);
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
    let words = format!("port {port} is a Nudge's, but not that of this folder");
    let (mut doctor, mut portable) = (patient.doctor(), patient.doctor());
    portable.env("NUDGE_PORTABLE", "1");
    for doctor in [&mut doctor, &mut portable] {
        let findings = Findings::of(doctor.args(["-p", &port]));
        assert_eq!(findings.about("port")[0], ["bad", &words, "nudge serve"]);
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
        assert!(
            !shown.contains(identity["nonce"].as_str().unwrap()),
            "{shown}"
        );
    }
}
