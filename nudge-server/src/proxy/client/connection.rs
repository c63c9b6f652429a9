//! A connection that blocks, over a Unix socket or TCP.

use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::Pid;

use super::exchange::Stream;
use super::wire::PATIENCE;
use crate::platform::process::own_peer;
use crate::platform::runtime::reachable;

/// How much is read at a time.
const ROOM: usize = 256 * 1024;

/// A connection whose responses were read to their ends.
#[derive(Debug)]
pub(super) struct Connection(Box<dyn Duplex>);

trait Duplex: Read + Write + AsFd + Debug + Send {}

impl<S: Read + Write + AsFd + Debug + Send> Duplex for S {}

impl Connection {
    /// Connects to a socket, if its server is of this user.
    ///
    /// The timeout is set before it connects: a server that was stopped in its
    /// tracks lets its queue fill up, and who comes then would wait forever.
    pub(super) fn unix(socket: &Path) -> io::Result<Connection> {
        let (_folder, short) = reachable(socket)?;
        let (family, kind) = (AddressFamily::UNIX, SocketType::STREAM);
        let fd = rustix::net::socket_with(family, kind, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&fd, Timeout::Send, Some(PATIENCE))?;
        set_socket_timeout(&fd, Timeout::Recv, Some(PATIENCE))?;
        rustix::net::connect(&fd, &SocketAddrUnix::new(&short)?)?;
        own_peer(&fd)?;
        Ok(Connection(Box::new(UnixStream::from(fd))))
    }

    /// Connects to a port of this machine.
    pub(super) fn tcp(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection(Box::new(stream)))
    }

    /// The process at the other end, where the kernel tells.
    pub(super) fn peer(&self) -> io::Result<Pid> {
        own_peer(&self.0)
    }

    /// Waits so long for what comes next, and no longer.
    pub(super) fn wait_up_to(&self, patience: Duration) -> io::Result<()> {
        set_socket_timeout(&self.0, Timeout::Recv, Some(patience))?;
        Ok(())
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Stream for Connection {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    async fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let old = bytes.len();
        // No more than comes at a time: an answer of a hundred megabytes has as much room again.
        bytes.resize(bytes.capacity().min(old + ROOM), 0);
        let room = bytes.get_mut(old..).unwrap_or_default();
        let count = loop {
            match self.0.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count,
            }
        };
        bytes.truncate(old + *count.as_ref().unwrap_or(&0));
        count
    }
}
