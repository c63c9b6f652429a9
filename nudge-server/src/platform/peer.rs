//! Who is on the other end of a loopback connection: its uid, asked of the kernel.
//!
//! TCP has no peer credentials. On Linux the kernel tells the owner of any
//! socket by its addresses (`sock_diag`), and the other end of a loopback
//! connection is a socket of this machine. Elsewhere nobody is known, and
//! callers show the token.

#[cfg(target_os = "linux")]
mod sock_diag;

use tokio::net::TcpStream;

/// Asks who peers are, over one kept socket.
#[derive(Debug)]
pub struct Peers {
    #[cfg(target_os = "linux")]
    kernel: Option<sock_diag::Kernel>,
}

impl Peers {
    /// Opens the socket to the kernel. Where there is none, as in some
    /// sandboxes, nobody is known.
    #[must_use]
    pub fn new() -> Peers {
        Peers {
            #[cfg(target_os = "linux")]
            kernel: (!super::is_portable())
                .then(sock_diag::Kernel::open)
                .and_then(Result::ok),
        }
    }

    /// The uid of the other end of a connection that was just accepted.
    ///
    /// `None` is an unknown user: the peer is of another machine or has closed its
    /// end or half of it, or its uid cannot be told.
    #[cfg(target_os = "linux")]
    pub fn uid(&mut self, accepted: &TcpStream) -> Option<u32> {
        self.kernel.as_mut()?.uid(accepted)
    }

    /// The uid of the other end, which this system does not tell.
    #[cfg(not(target_os = "linux"))]
    pub fn uid(&mut self, _: &TcpStream) -> Option<u32> {
        None
    }
}

impl Default for Peers {
    fn default() -> Peers {
        Peers::new()
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr, TcpStream as Client};

    use rustix::net::{AddressFamily, SocketType, connect, socket};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn who_has_the_port_of_one_that_is_gone_is_not_taken_for_it() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let own = listener.local_addr().unwrap();
        let client = Client::connect(own).unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let (SocketAddr::V4(own), SocketAddr::V4(peer)) = (own, stream.peer_addr().unwrap()) else {
            panic!("it listens on IPv4");
        };
        let mut kernel = sock_diag::Kernel::open().unwrap();
        let us = rustix::process::geteuid().as_raw();
        assert_eq!(kernel.uid_between(&stream, peer, own), Some(us));

        let at_once = Some(std::time::Duration::ZERO);
        rustix::net::sockopt::set_socket_linger(&client, at_once).unwrap();
        drop(client);
        stream.readable().await.unwrap();
        assert!(!matches!(stream.try_read(&mut [0]), Ok(1)));
        let heir = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        rustix::net::sockopt::set_socket_reuseaddr(&heir, true).unwrap();
        rustix::net::bind(&heir, &peer).unwrap();
        connect(&heir, &own).unwrap();
        let (second, _) = listener.accept().await.unwrap();
        assert_eq!(kernel.uid_between(&second, peer, own), Some(us));
        assert_eq!(kernel.uid_between(&stream, peer, own), None);
    }
}
