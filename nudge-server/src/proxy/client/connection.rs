//! One HTTP/1.1 connection: a request out, a response in, and the next.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::Pid;

use super::wire::{PATIENCE, Response, hung_up, is_stale};
use crate::platform::process::own_peer;
use crate::platform::runtime::reachable;

/// A connection whose responses were read to their ends.
#[derive(Debug)]
pub(super) struct Connection {
    stream: Stream,
}

#[derive(Debug)]
enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

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
        Ok(Connection {
            stream: Stream::Unix(UnixStream::from(fd)),
        })
    }

    /// Connects to a port of this machine.
    pub(super) fn tcp(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection {
            stream: Stream::Tcp(stream),
        })
    }

    /// Whether the server hung up, or said something unasked, since the last response.
    pub(super) fn is_stale(&self) -> bool {
        is_stale(&self.stream)
    }

    /// The process at the other end, where the kernel tells.
    pub(super) fn peer(&self) -> io::Result<Pid> {
        own_peer(&self.stream)
    }

    /// Waits so long for what comes next, and no longer.
    pub(super) fn wait_up_to(&self, patience: Duration) -> io::Result<()> {
        set_socket_timeout(&self.stream, Timeout::Recv, Some(patience))?;
        Ok(())
    }

    /// Writes a request.
    pub(super) fn write(&mut self, request: &[u8]) -> io::Result<()> {
        match &mut self.stream {
            Stream::Unix(stream) => stream.write_all(request),
            Stream::Tcp(stream) => stream.write_all(request),
        }
    }

    /// Reads a response.
    pub(super) fn read(&mut self) -> io::Result<Response> {
        let mut bytes = Vec::with_capacity(4096);
        loop {
            self.read_more(&mut bytes)?;
            if let Some(response) = Response::read(&mut bytes)? {
                return Ok(response);
            }
        }
    }

    /// Reads what there is, at least one byte.
    pub(super) fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let old = bytes.len();
        bytes.resize(old + 4096.max(old), 0);
        let room = bytes.get_mut(old..).unwrap_or_default();
        let count = loop {
            let count = match &mut self.stream {
                Stream::Unix(stream) => stream.read(room),
                Stream::Tcp(stream) => stream.read(room),
            };
            match count {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count,
            }
        };
        bytes.truncate(old + *count.as_ref().unwrap_or(&0));
        match count? {
            0 => Err(hung_up()),
            _ => Ok(()),
        }
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Stream::Unix(stream) => stream.as_fd(),
            Stream::Tcp(stream) => stream.as_fd(),
        }
    }
}
