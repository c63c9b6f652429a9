//! Who is on the other end of a loopback connection: its uid, asked of the kernel.
//!
//! TCP has no peer credentials. On Linux the kernel tells the owner of any
//! socket by its addresses (`sock_diag`), and the other end of a loopback
//! connection is a socket of this machine. Elsewhere nobody is known, and
//! callers show the token.

use tokio::net::TcpStream;

/// Asks who peers are, over one kept socket.
#[derive(Debug)]
pub struct Peers {
    #[cfg(target_os = "linux")]
    kernel: Option<diag::Kernel>,
}

impl Peers {
    /// Opens the socket to the kernel. Where there is none, as in some
    /// sandboxes, nobody is known.
    #[must_use]
    pub fn new() -> Peers {
        Peers {
            #[cfg(target_os = "linux")]
            kernel: diag::Kernel::open().ok(),
        }
    }

    /// The uid of the other end of a connection that was just accepted.
    ///
    /// `None` is a stranger: the peer is of another machine or has closed its
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

#[cfg(target_os = "linux")]
mod diag {
    use std::io;
    use std::net::{SocketAddr, SocketAddrV4};
    use std::os::fd::OwnedFd;

    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, connect, netlink, recv, send,
        socket_with, sockopt,
    };
    use tokio::net::TcpStream;

    /// What the kernel shows for a uid that has no name here; it may be anybody's.
    const OVERFLOW_UID: u32 = 65534;

    /// `TCP_ESTABLISHED`.
    const ESTABLISHED: u8 = 1;

    /// `INET_DIAG_NOCOOKIE`: whichever socket has these addresses.
    const ANY: u64 = u64::MAX;

    /// `SOCK_DIAG_BY_FAMILY`, both of the question and of its answer.
    const BY_FAMILY: u16 = 20;

    /// `struct nlmsghdr` and `struct inet_diag_req_v2`.
    const QUESTION: usize = 16 + 56;

    /// `struct nlmsghdr` and `struct inet_diag_msg`; attributes may follow.
    const ANSWER: usize = 16 + 72;

    /// A socket to the kernel's table of sockets.
    #[derive(Debug)]
    pub(super) struct Kernel {
        socket: OwnedFd,
        asked: u32,
    }

    /// A socket as the table shows it.
    struct Entry {
        state: u8,
        uid: u32,
        inode: u32,
    }

    impl Kernel {
        pub(super) fn open() -> io::Result<Kernel> {
            let socket = socket_with(
                AddressFamily::NETLINK,
                SocketType::DGRAM,
                SocketFlags::CLOEXEC,
                Some(netlink::SOCK_DIAG),
            )?;
            // Connected to the kernel, so that nobody else can answer.
            connect(&socket, &netlink::SocketAddrNetlink::new(0, 0))?;
            Ok(Kernel { socket, asked: 0 })
        }

        pub(super) fn uid(&mut self, accepted: &TcpStream) -> Option<u32> {
            // A client that has reset the connection has no address any more.
            let (SocketAddr::V4(peer), SocketAddr::V4(own)) =
                (accepted.peer_addr().ok()?, accepted.local_addr().ok()?)
            else {
                return None;
            };
            // An end that was closed is shown with uid 0 and no inode, whoever
            // it belonged to.
            let entry = self.find(peer, own, ANY)?;
            let alive = entry.state == ESTABLISHED && entry.inode != 0;
            if !alive || entry.uid == OVERFLOW_UID {
                return None;
            }
            // Only now, after the peer was seen: had it gone before, its port
            // could be another's by now, and the entry that other's. Our end
            // would know of the farewell. It is asked for by its cookie, since a
            // newer connection may have the same addresses.
            let cookie = sockopt::socket_cookie(accepted).ok()?;
            let ours = self.find(own, peer, cookie)?;
            (ours.state == ESTABLISHED).then_some(entry.uid)
        }

        /// Looks up the socket that sends from one address to another. A socket
        /// of IPv6 that speaks IPv4 is found as well.
        fn find(&mut self, from: SocketAddrV4, to: SocketAddrV4, cookie: u64) -> Option<Entry> {
            self.asked = self.asked.wrapping_add(1);
            let question = question(self.asked, from, to, cookie);
            send(&self.socket, &question, SendFlags::empty()).ok()?;
            // The kernel answers while it is asked, so there is nothing to wait
            // for. An answer that an earlier question left behind is passed over.
            let mut answer = [0; 1024];
            loop {
                let (length, _) = recv(&self.socket, &mut answer[..], RecvFlags::DONTWAIT).ok()?;
                let answer = answer.get(..length)?;
                if u32_at(answer, 8)? == self.asked {
                    return entry(answer);
                }
            }
        }
    }

    fn question(number: u32, from: SocketAddrV4, to: SocketAddrV4, cookie: u64) -> [u8; QUESTION] {
        const REQUEST: u16 = 1;
        const INET: u8 = 2;
        const TCP: u8 = 6;
        const EVERY_STATE: u32 = u32::MAX;

        let length = u32::try_from(QUESTION).unwrap_or_default();
        let mut bytes = [0; QUESTION];
        let mut rest = &mut bytes[..];
        let mut put = |field: &[u8]| {
            if let Some((place, later)) =
                std::mem::take(&mut rest).split_at_mut_checked(field.len())
            {
                place.copy_from_slice(field);
                rest = later;
            }
        };
        put(&length.to_ne_bytes());
        put(&BY_FAMILY.to_ne_bytes());
        put(&REQUEST.to_ne_bytes());
        put(&number.to_ne_bytes());
        put(&0_u32.to_ne_bytes());
        put(&[INET, TCP, 0, 0]);
        put(&EVERY_STATE.to_ne_bytes());
        put(&from.port().to_be_bytes());
        put(&to.port().to_be_bytes());
        put(&from.ip().octets());
        put(&[0; 12]);
        put(&to.ip().octets());
        put(&[0; 12]);
        put(&0_u32.to_ne_bytes());
        // Two words, the lower one first on every machine.
        let [low, high] = [cookie & u64::from(u32::MAX), cookie >> 32];
        put(&u32::try_from(low).unwrap_or_default().to_ne_bytes());
        put(&u32::try_from(high).unwrap_or_default().to_ne_bytes());
        bytes
    }

    /// Reads an answer; one that says that there is no such socket is `None`.
    fn entry(answer: &[u8]) -> Option<Entry> {
        let kind = answer.get(4..6)?;
        if kind != BY_FAMILY.to_ne_bytes() || answer.len() < ANSWER {
            return None;
        }
        Some(Entry {
            state: *answer.get(17)?,
            uid: u32_at(answer, 80)?,
            inode: u32_at(answer, 84)?,
        })
    }

    fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(u32::from_ne_bytes(*bytes))
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::net::{Ipv4Addr, Shutdown, TcpStream as Client};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use rustix::net::{AddressFamily, SocketType, connect, socket};
    use tokio::net::TcpListener;

    use super::*;

    async fn accepted(client: impl FnOnce(u16) -> Option<Client>) -> (TcpStream, Option<Client>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = client(listener.local_addr().unwrap().port());
        (listener.accept().await.unwrap().0, client)
    }

    fn plain(port: u16) -> Client {
        Client::connect((Ipv4Addr::LOCALHOST, port)).unwrap()
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
    async fn another_user_is_told_apart_and_one_without_a_name_is_a_stranger() {
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
    async fn a_client_that_has_closed_is_a_stranger() {
        // The kernel shows what is left of it as one of root's.
        let (stream, _) = accepted(|port| {
            drop(plain(port));
            None
        })
        .await;
        assert_eq!(Peers::new().uid(&stream), None);
    }

    #[tokio::test]
    async fn a_client_that_has_closed_half_of_its_end_is_a_stranger() {
        let (stream, _client) = accepted(|port| {
            let client = plain(port);
            client.shutdown(Shutdown::Write).unwrap();
            Some(client)
        })
        .await;
        assert_eq!(Peers::new().uid(&stream), None);
    }

    #[tokio::test]
    async fn a_client_that_has_reset_the_connection_is_a_stranger() {
        let (stream, _) = accepted(|port| {
            let client = plain(port);
            let at_once = Some(std::time::Duration::ZERO);
            rustix::net::sockopt::set_socket_linger(&client, at_once).unwrap();
            None
        })
        .await;
        assert_eq!(Peers::new().uid(&stream), None);
    }
}
