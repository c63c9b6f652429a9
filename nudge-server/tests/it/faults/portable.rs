//! What a system does whose kernel tells nothing of processes, as that of macOS: the same
//! faults once more, and what is different.

use std::fs;
use std::io::BufReader;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

use crate::process::{Server, printed, serve};
use crate::served::Client;

/// What is tried a second time.
const SUITES: [&str; 4] = ["faults::", "sharing::", "autostart::", "signals::"];

#[test]
fn a_session_outlives_all_this_where_the_kernel_tells_nothing() {
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(SUITES).args(["--skip", "faults::portable"]);
    // Others run meanwhile, and here nobody tells a server that is slow from one that hangs.
    again.arg("--test-threads=1");
    // Whatever a test starts inherits it.
    let output = again.env("NUDGE_PORTABLE", "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    for suite in SUITES {
        assert!(said.contains(&format!("\ntest {suite}")), "{suite}: {said}");
    }
}

/// A server that is told nothing, and a command that is told as little.
fn server(runtime: &Path) -> Server {
    let mut command = serve(runtime);
    command.env("NUDGE_PORTABLE", "1");
    Server::spawn(command)
}

/// What a command prints and says.
fn typed(runtime: &Path, words: &[&str]) -> String {
    let mut command = super::command(runtime, words);
    printed(command.env("NUDGE_PORTABLE", "1")).1
}

#[test]
fn who_calls_over_the_port_shows_the_token() {
    let runtime = crate::process::folder();
    let server = server(runtime.path());
    let token = typed(runtime.path(), &["token"]);
    let address = server.address();
    let shown = |token: &str| format!("Authorization: Bearer {token}\r\n");
    for (header, status) in [
        (shown(token.trim()), 200),
        (shown("another"), 401),
        (String::new(), 401),
    ] {
        let stream = TcpStream::connect(address).unwrap();
        let request = format!("GET /events HTTP/1.1\r\nHost: {address}\r\n{header}\r\n");
        let response = Client(BufReader::new(stream)).ask(request);
        assert_eq!(response.status(), status, "{header}");
    }
}

#[test]
fn the_doctor_finds_nothing_wrong() {
    let runtime = crate::process::folder();
    let server = server(runtime.path());
    let (port, pid) = (server.address(), server.pid());
    let said = typed(runtime.path(), &["doctor"]);
    for words in [
        format!("http://{port} answers as this session"),
        format!("process {pid}, session"),
    ] {
        assert!(said.contains(&words), "{words}: {said}");
    }
    // Without its PID file nobody knows its number, and nobody is told to end another.
    fs::remove_file(runtime.path().join("server.pid")).unwrap();
    crate::process::kill(pid, Signal::STOP);
    let said = typed(runtime.path(), &["doctor"]);
    assert!(said.contains("some process does not answer"), "{said}");
    let said = typed(runtime.path(), &["stop", "--force", "--yes"]);
    assert!(said.contains("`lsof "), "{said}");
}
