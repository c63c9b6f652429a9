//! The kernel's table of sockets, asked over netlink (`sock_diag`).

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
const QUESTION: u32 = 16 + 56;

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
    /// Opens the socket, and connects it to the kernel alone.
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

    /// The uid of the other end; `None` when it cannot be told for certain.
    pub(super) fn uid(&mut self, accepted: &TcpStream) -> Option<u32> {
        // A client that has reset the connection has no address any more.
        let (SocketAddr::V4(peer), SocketAddr::V4(own)) =
            (accepted.peer_addr().ok()?, accepted.local_addr().ok()?)
        else {
            return None;
        };
        self.uid_between(accepted, peer, own)
    }

    /// The uid of the other end of a connection that had these addresses a
    /// moment ago.
    pub(super) fn uid_between(
        &mut self,
        accepted: &TcpStream,
        peer: SocketAddrV4,
        own: SocketAddrV4,
    ) -> Option<u32> {
        let theirs = self.find(peer, own, ANY)?;
        // Only now, after the peer was seen: had it gone before, its port
        // could be another's by now, and the entry that other's. Our end
        // would know of the farewell. It is asked for by its cookie, since a
        // newer connection may have the same addresses.
        let cookie = sockopt::socket_cookie(accepted).ok()?;
        let ours = self.find(own, peer, cookie)?;
        owner(&theirs, &ours)
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

/// The uid of the other end, if both ends are in use and it belongs to somebody.
fn owner(theirs: &Entry, ours: &Entry) -> Option<u32> {
    // An end that was closed is shown with uid 0 and no inode, whoever it
    // belonged to.
    let alive = theirs.state == ESTABLISHED && theirs.inode != 0;
    let known = theirs.uid != OVERFLOW_UID;
    (alive && known && ours.state == ESTABLISHED).then_some(theirs.uid)
}

fn question(number: u32, from: SocketAddrV4, to: SocketAddrV4, cookie: u64) -> Vec<u8> {
    const REQUEST: u16 = 1;
    const INET: u8 = 2;
    const TCP: u8 = 6;
    const EVERY_STATE: u32 = u32::MAX;

    // Two words, the lower one first on every machine.
    let cookie = [cookie & u64::from(u32::MAX), cookie >> 32];
    let [low, high] = cookie.map(|word| u32::try_from(word).unwrap_or_default().to_ne_bytes());
    let fields: [&[u8]; 16] = [
        &QUESTION.to_ne_bytes(),
        &BY_FAMILY.to_ne_bytes(),
        &REQUEST.to_ne_bytes(),
        &number.to_ne_bytes(),
        &[0; 4],
        &[INET, TCP, 0, 0],
        &EVERY_STATE.to_ne_bytes(),
        &from.port().to_be_bytes(),
        &to.port().to_be_bytes(),
        &from.ip().octets(),
        &[0; 12],
        &to.ip().octets(),
        &[0; 12],
        &[0; 4],
        &low,
        &high,
    ];
    fields.concat()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_end_that_is_in_use_by_somebody_with_a_name_has_an_owner() {
        const FIN_WAIT2: u8 = 5;
        const CLOSE_WAIT: u8 = 8;
        for (state, uid, inode, own_state, expected) in [
            (ESTABLISHED, 1000, 7, ESTABLISHED, Some(1000)),
            (ESTABLISHED, 0, 7, ESTABLISHED, Some(0)),
            (ESTABLISHED, 0, 0, ESTABLISHED, None),
            (ESTABLISHED, 1000, 0, ESTABLISHED, None),
            (ESTABLISHED, OVERFLOW_UID, 7, ESTABLISHED, None),
            (ESTABLISHED, 1000, 7, CLOSE_WAIT, None),
            (FIN_WAIT2, 0, 0, ESTABLISHED, None),
            (FIN_WAIT2, 1000, 7, ESTABLISHED, None),
            (CLOSE_WAIT, 1000, 7, ESTABLISHED, None),
        ] {
            let theirs = Entry { state, uid, inode };
            let ours = Entry {
                state: own_state,
                uid: 0,
                inode: 8,
            };
            let found = owner(&theirs, &ours);
            assert_eq!(found, expected, "{state} {uid} {inode} {own_state}");
        }
    }

    #[test]
    fn an_answer_that_is_cut_short_or_of_another_kind_names_nobody() {
        let mut answer = [0; ANSWER];
        answer[4..6].copy_from_slice(&BY_FAMILY.to_ne_bytes());
        assert!(entry(&answer).is_some());
        for length in 0..ANSWER {
            assert!(entry(&answer[..length]).is_none(), "{length}");
        }
        // `NLMSG_ERROR`: there is no such socket.
        answer[4..6].copy_from_slice(&2_u16.to_ne_bytes());
        assert!(entry(&answer).is_none());
    }
}
