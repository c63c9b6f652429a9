//! Who a caller is, at the moments when that is hard to tell.

use std::io::BufReader;
use std::net::{Ipv4Addr, Shutdown, SocketAddrV6, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;

use rustix::net::{AddressFamily, SocketType, connect, socket};
use serde_json::json;

use crate::guard::{SOMEBODY_ELSE, skipped};
use crate::held::Held;
use crate::process::{Folder, Server, nudge_in, within};
use crate::served::{Client, Served, TOKEN};

/// A change that another user would like to make.
fn theirs(server: &Served, headers: &str) -> String {
    let params = json!({"component": "api", "key": "theirs", "value": "x"});
    server.call_with(headers, "nudge.set_hint", &params)
}

#[cfg(target_os = "linux")]
#[test]
fn another_user_who_is_gone_before_it_is_seen_changes_nothing() {
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can be somebody else; run the tests as root");
    }
    let held = Held::new();
    // The kernel shows what is left of a closed socket as one of root's, who
    // runs this server.
    let script = r#"for _ in 1 2 3 4 5 6 7 8
        do exec 3<>/dev/tcp/127.0.0.1/$0 && printf %s "$1" >&3 && exec 3>&-
        done"#;
    let port = held.server.port.to_string();
    let request = theirs(&held.server, "");
    let status = Command::new("bash")
        .args(["-c", script, &port, &request])
        .uid(SOMEBODY_ELSE)
        .status();
    assert!(status.unwrap().success());
    let port = held.server.port;
    within(move || {
        while is_saying_farewell(port) {
            thread::yield_now();
        }
    });
    let server = held.go_on();
    assert_eq!(server.primary.nudge.last_change(), 1);
}

/// Whether some client of a port waits to hear that its farewell has come. Until
/// then the kernel still knows whose it was.
#[cfg(target_os = "linux")]
fn is_saying_farewell(port: u16) -> bool {
    const FIN_WAIT1: &str = "04";
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let to_port = format!(":{port:04X} {FIN_WAIT1}");
    table.contains(&to_port)
}

#[cfg(target_os = "linux")]
#[test]
fn who_has_closed_its_half_before_it_is_seen_needs_the_token() {
    let held = Held::new();
    let show = format!("Authorization: Bearer {TOKEN}\r\n");
    let half_closed = |headers: &str| {
        let mut client = held.server.tcp();
        client.say(theirs(&held.server, headers));
        client.0.get_ref().shutdown(Shutdown::Write).unwrap();
        client
    };
    let mut without = half_closed("");
    let mut with = half_closed(&show);
    let server = held.go_on();
    assert_eq!(without.hear().unwrap().status(), 401);
    assert_eq!(with.hear().unwrap().status(), 200);
    assert_eq!(server.primary.nudge.last_change(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_client_of_ipv6_that_speaks_ipv4_is_this_user() {
    let server = Served::new();
    let client = socket(AddressFamily::INET6, SocketType::STREAM, None).unwrap();
    let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped();
    connect(&client, &SocketAddrV6::new(mapped, server.port, 0, 0)).unwrap();
    let mut client = Client(BufReader::new(TcpStream::from(client)));
    assert_eq!(client.ask(theirs(&server, "")).status(), 200);
}

#[test]
fn a_connection_keeps_the_caller_that_it_began_with() {
    let server = Served::new();
    let mut client = server.tcp();
    let show = |token: &str| format!("Authorization: Bearer {token}\r\n");
    // Neither a token that was right nor one that was wrong is remembered.
    assert_eq!(client.ask(theirs(&server, &show(TOKEN))).status(), 200);
    assert_eq!(client.ask(theirs(&server, &show("x"))).status(), 401);
    assert_eq!(client.ask(theirs(&server, &show(TOKEN))).status(), 200);
    assert_eq!(server.primary.nudge.last_change(), 2);
}

#[test]
fn the_token_of_another_server_opens_nothing() {
    let folders = [crate::process::folder(), crate::process::folder()];
    let paths = folders.each_ref().map(Folder::path);
    let servers = paths.map(Server::start);
    let [own, others] = paths.map(|path| {
        let output = nudge_in(path).arg("token").output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    });
    assert_ne!(own, others);
    let [server, _other] = &servers;
    let address = server.address();
    for (token, status) in [(own, 200), (others, 401)] {
        let stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "GET /events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        let response = Client(BufReader::new(stream)).ask(request);
        assert_eq!(response.status(), status);
    }
}
