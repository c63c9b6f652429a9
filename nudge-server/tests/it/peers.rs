//! Who is on the other end of a loopback connection that is over.

use std::net::{Ipv4Addr, TcpStream as Client};
use std::time::Duration;

use nudge_server::platform::peer::uid;
use rustix::net::sockopt::set_socket_linger;
use tokio::net::TcpListener;

/// What the kernel shows of it is one of root's.
#[tokio::test]
async fn a_client_that_has_closed_or_reset_the_connection_is_unknown() {
    for resets in [false, true] {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = Client::connect(listener.local_addr().unwrap()).unwrap();
        if resets {
            set_socket_linger(&client, Some(Duration::ZERO)).unwrap();
        }
        drop(client);
        let (stream, _) = listener.accept().await.unwrap();
        // One that another test forks holds on to its end until it is another program.
        stream.readable().await.unwrap();
        assert!(!matches!(stream.try_read(&mut [0]), Ok(1)));
        assert_eq!(uid(&stream), None, "resets: {resets}");
    }
}
