//! Who is on the other end of a loopback connection.

use std::net::{Ipv4Addr, Shutdown, TcpStream as Client};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nudge_server::platform::peer::Peers;
use rustix::net::{AddressFamily, SocketType, connect, socket};
use tokio::net::{TcpListener, TcpStream};

async fn accepted(client: impl FnOnce(u16) -> Option<Client>) -> (TcpStream, Option<Client>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let client = client(listener.local_addr().unwrap().port());
    (listener.accept().await.unwrap().0, client)
}

fn plain(port: u16) -> Client {
    Client::connect((Ipv4Addr::LOCALHOST, port)).unwrap()
}

/// Waits until a client is gone: one that another test forks holds on to its
/// end until it is another program.
async fn gone(stream: &TcpStream) {
    stream.readable().await.unwrap();
    assert!(!matches!(stream.try_read(&mut [0]), Ok(1)));
}

fn us() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[tokio::test]
async fn the_uid_of_a_client_of_this_machine_is_known() {
    let mut peers = Peers::new();
    let (first, _client) = accepted(|port| Some(plain(port))).await;
    let (second, _other) = accepted(|port| Some(plain(port))).await;
    assert_eq!(peers.uid(&first), Some(us()));
    assert_eq!(peers.uid(&second), Some(us()));
    assert_eq!(peers.uid(&first), Some(us()));
}

#[tokio::test]
async fn a_client_of_ipv6_that_speaks_ipv4_is_known() {
    let (stream, _client) = accepted(|port| {
        let client = socket(AddressFamily::INET6, SocketType::STREAM, None).unwrap();
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped();
        connect(&client, &std::net::SocketAddrV6::new(mapped, port, 0, 0)).unwrap();
        Some(Client::from(client))
    })
    .await;
    assert_eq!(Peers::new().uid(&stream), Some(us()));
}

#[tokio::test]
async fn another_user_is_told_apart_and_one_without_a_name_is_unknown() {
    if us() != 0 {
        // Only root can be somebody else; the test of the guard says so aloud.
        return;
    }
    for (uid, expected) in [(1000, Some(1000)), (65534, None)] {
        let mut child = None;
        let (stream, _) = accepted(|port| {
            // It stays until its input ends.
            let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port}; read");
            let mut command = Command::new("bash");
            let command = command.args(["-c", &script]).stdin(Stdio::piped());
            child = Some(command.uid(uid).spawn().unwrap());
            None
        })
        .await;
        assert_eq!(Peers::new().uid(&stream), expected);
        let mut child = child.unwrap();
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}

#[tokio::test]
async fn a_client_that_has_closed_is_unknown() {
    // The kernel shows what is left of it as one of root's.
    let (stream, _) = accepted(|port| {
        drop(plain(port));
        None
    })
    .await;
    gone(&stream).await;
    assert_eq!(Peers::new().uid(&stream), None);
}

#[tokio::test]
async fn a_client_that_has_closed_half_of_its_end_is_unknown() {
    let (stream, _client) = accepted(|port| {
        let client = plain(port);
        client.shutdown(Shutdown::Write).unwrap();
        Some(client)
    })
    .await;
    assert_eq!(Peers::new().uid(&stream), None);
}

#[tokio::test]
async fn a_client_that_has_reset_the_connection_is_unknown() {
    let (stream, _) = accepted(|port| {
        let client = plain(port);
        let at_once = Some(std::time::Duration::ZERO);
        rustix::net::sockopt::set_socket_linger(&client, at_once).unwrap();
        None
    })
    .await;
    gone(&stream).await;
    assert_eq!(Peers::new().uid(&stream), None);
}
