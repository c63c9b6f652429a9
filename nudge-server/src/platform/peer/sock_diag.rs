//! The kernel's table of sockets, asked over netlink (`sock_diag`).
//!
//! `/proc/net/tcp` has the same table as text, but no way to ask for one socket of it: to read it
//! takes milliseconds on a machine with much memory, and as long as others like who open sockets.

use std::net::{SocketAddr, SocketAddrV4};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Result, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, connect, netlink, recv, send,
    socket_with,
};
use tokio::net::TcpStream;

use crate::platform::is_portable;

/// What the kernel shows for a uid that has no name here; it may be anybody's.
const OVERFLOW_UID: u32 = 65534;

/// `TCP_ESTABLISHED`.
const ESTABLISHED: u8 = 1;

/// `SOCK_DIAG_BY_FAMILY`, both of the question and of its answer.
const BY_FAMILY: u16 = 20;

/// `struct nlmsghdr` and `struct inet_diag_req_v2`.
const QUESTION: u32 = 16 + 56;

/// The uid of the other end of a connection that was just accepted.
///
/// `None` is an unknown user: the peer is of another machine or has closed its
/// end or half of it, or its uid cannot be told.
#[must_use]
pub fn uid(accepted: &TcpStream) -> Option<u32> {
    // A client that has reset the connection has no address any more.
    match (accepted.peer_addr().ok()?, accepted.local_addr().ok()?) {
        (SocketAddr::V4(peer), SocketAddr::V4(own)) if !is_portable() => {
            uid_between(accepted, peer, own)
        }
        _ => None,
    }
}

/// The uid of the other end of a connection that had these addresses a moment ago.
fn uid_between(accepted: &TcpStream, peer: SocketAddrV4, own: SocketAddrV4) -> Option<u32> {
    let uid = owner(&find(peer, own).ok()?)?;
    // Only now, after the peer was seen: had it gone before, its port could be
    // another's by now, and the entry that other's. Our end would know of the
    // farewell.
    is_whole(accepted).then_some(uid)
}

/// Whether neither half of a connection has ended.
fn is_whole(accepted: &TcpStream) -> bool {
    let mut ends = [PollFd::new(accepted, PollFlags::RDHUP)];
    retry_on_intr(|| poll(&mut ends, Some(&Timespec::default()))) == Ok(0)
}

/// What the kernel says of the socket that sends from one address to another. A socket of IPv6
/// that speaks IPv4 is found as well.
fn find(from: SocketAddrV4, to: SocketAddrV4) -> Result<Vec<u8>> {
    let (family, kind) = (AddressFamily::NETLINK, SocketType::DGRAM);
    let socket = socket_with(family, kind, SocketFlags::CLOEXEC, Some(netlink::SOCK_DIAG))?;
    // Connected to the kernel, so that nobody else can answer.
    connect(&socket, &netlink::SocketAddrNetlink::new(0, 0))?;
    send(&socket, &question(from, to), SendFlags::empty())?;
    // The kernel answers while it is asked, so there is nothing to wait for.
    let mut answer = vec![0; 1024];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::DONTWAIT)?;
    answer.truncate(length);
    Ok(answer)
}

fn question(from: SocketAddrV4, to: SocketAddrV4) -> Vec<u8> {
    const REQUEST: u16 = 1;
    const INET: u8 = 2;
    const TCP: u8 = 6;

    let fields: [&[u8]; 13] = [
        &QUESTION.to_ne_bytes(),
        &BY_FAMILY.to_ne_bytes(),
        &REQUEST.to_ne_bytes(),
        &[0; 8],
        &[INET, TCP, 0, 0],
        // In every state.
        &[0xff; 4],
        &from.port().to_be_bytes(),
        &to.port().to_be_bytes(),
        &from.ip().octets(),
        &[0; 12],
        &to.ip().octets(),
        &[0; 16],
        // Whichever socket has these addresses.
        &[0xff; 8],
    ];
    fields.concat()
}

/// The owner of the socket that an answer shows, if that is in use and belongs to somebody.
fn owner(answer: &[u8]) -> Option<u32> {
    let u32_at = |at| Some(u32::from_ne_bytes(*answer.get(at..)?.first_chunk()?));
    let is_entry = answer.get(4..6)? == BY_FAMILY.to_ne_bytes();
    let (state, uid, inode) = (*answer.get(17)?, u32_at(80)?, u32_at(84)?);
    // An end that was closed is shown with uid 0 and no inode, whoever it
    // belonged to.
    let is_alive = is_entry && state == ESTABLISHED && inode != 0;
    (is_alive && uid != OVERFLOW_UID).then_some(uid)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpStream as Client};

    use rustix::net::{bind, socket, sockopt};
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
        let us = rustix::process::geteuid().as_raw();
        assert_eq!(uid_between(&stream, peer, own), Some(us));

        sockopt::set_socket_linger(&client, Some(std::time::Duration::ZERO)).unwrap();
        drop(client);
        stream.readable().await.unwrap();
        let heir = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        sockopt::set_socket_reuseaddr(&heir, true).unwrap();
        bind(&heir, &peer).unwrap();
        connect(&heir, &own).unwrap();
        let (second, _) = listener.accept().await.unwrap();
        assert_eq!(uid_between(&second, peer, own), Some(us));
        assert_eq!(uid_between(&stream, peer, own), None);
    }

    #[test]
    fn only_an_end_that_is_in_use_by_somebody_with_a_name_has_an_owner() {
        // `NLMSG_ERROR` says that there is no such socket.
        const ERROR: u16 = 2;
        const FIN_WAIT2: u8 = 5;
        let answer = |kind: u16, state: u8, uid: u32, inode: u32| {
            let mut answer = [0; 88];
            answer[4..6].copy_from_slice(&kind.to_ne_bytes());
            answer[17] = state;
            answer[80..84].copy_from_slice(&uid.to_ne_bytes());
            answer[84..].copy_from_slice(&inode.to_ne_bytes());
            answer
        };
        for (kind, state, uid, inode, expected) in [
            (BY_FAMILY, ESTABLISHED, 1000, 7, Some(1000)),
            (BY_FAMILY, ESTABLISHED, 0, 7, Some(0)),
            (BY_FAMILY, ESTABLISHED, 0, 0, None),
            (BY_FAMILY, ESTABLISHED, 1000, 0, None),
            (BY_FAMILY, ESTABLISHED, OVERFLOW_UID, 7, None),
            (BY_FAMILY, FIN_WAIT2, 1000, 7, None),
            (ERROR, ESTABLISHED, 1000, 7, None),
        ] {
            let answer = answer(kind, state, uid, inode);
            assert_eq!(owner(&answer), expected, "{kind} {state} {uid} {inode}");
            // One that is cut short names nobody.
            assert!((0..answer.len()).all(|length| owner(&answer[..length]).is_none()));
        }
    }
}
