//! More clients than there is room for, and slower ones than anybody waits for.

use std::io::BufReader;
use std::net::TcpStream;
use std::process::Command;

use serde_json::json;

use crate::process::{PATIENCE, Server};
use crate::served::{Client, Served};

#[test]
fn a_thousand_slow_requests_do_not_keep_the_next_one_out() {
    let server = Served::new();
    let set = json!({"component": "api", "key": "build", "value": "make"});
    let whole = server.call("nudge.set_hint", &set);
    let (begun, rest) = whole.split_at(whole.len() - 9);
    let mut slow: Vec<_> = (0..1600)
        .map(|number| {
            let mut client = server.tcp();
            // Some only sit there, some have begun to speak, and some have said nearly all.
            client.say(["", "G", begun][(number / 300).min(2)]);
            client
        })
        .collect();
    let mut client = server.tcp();
    let response = client.ask(server.call("nudge.status", &json!({})));
    assert_eq!(response.status(), 200);
    // Those who came first made room, and changed nothing.
    let gone = [0, 400, 700].map(|number: usize| slow[number].is_at_its_end());
    assert_eq!(gone, [true; 3]);
    assert_eq!(server.primary.nudge.last_change(), 0);
    // Who came last may still finish.
    assert_eq!(slow[1599].ask(rest).status(), 200);
    assert_eq!(server.unix().ask(server.get("/health", "")).status(), 200);
}

#[test]
fn a_server_has_as_many_files_as_it_may_have() {
    let folder = crate::process::folder();
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -Sn 64 && exec \"$0\" serve --port 0"])
        .arg(env!("CARGO_BIN_EXE_nudge"))
        .env("NUDGE_RUNTIME_DIR", folder.path());
    let server = Server::spawn(command);
    let address = server.address();
    let health = format!("GET /health HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let mut clients: Vec<_> = (0..200)
        .map(|_| {
            let stream = TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            Client(BufReader::new(stream))
        })
        .collect();
    // Twice, so that nobody was sent away for somebody else.
    for _ in 0..2 {
        for client in &mut clients {
            assert_eq!(client.ask(&health).status(), 200);
        }
    }
}
