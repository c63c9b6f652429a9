//! One HTTP/1.1 connection: a request out, a response in, and the next.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout, socket_peercred};
use rustix::net::{AddressFamily, RecvFlags, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::Pid;

use crate::session::runtime::reachable;

/// How long a server may take for anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest head of a response.
const MAX_HEAD: usize = 16 * 1024;

/// The longest body of a response.
const MAX_BODY: usize = 64 * 1024 * 1024;

/// A connection whose responses were read to their ends.
#[derive(Debug)]
pub(super) struct Connection {
    stream: Stream,
    peer: Option<Pid>,
}

#[derive(Debug)]
enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

/// What a server said.
#[derive(Debug, Default)]
pub(super) struct Response {
    pub(super) status: u16,
    /// The header `nudge-env`.
    pub(super) env_names: Option<String>,
    pub(super) body: Vec<u8>,
    /// Whether the server hangs up after this.
    pub(super) closes: bool,
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
        let peer = socket_peercred(&fd)?;
        if peer.uid != rustix::process::geteuid() {
            let words = "the server is of another user";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, words));
        }
        Ok(Connection {
            stream: Stream::Unix(UnixStream::from(fd)),
            peer: Some(peer.pid),
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
            peer: None,
        })
    }

    /// The process at the other end, where the kernel tells.
    pub(super) fn peer(&self) -> Option<Pid> {
        self.peer
    }

    /// The socket alone.
    pub(super) fn into_unix(self) -> io::Result<UnixStream> {
        match self.stream {
            Stream::Unix(stream) => Ok(stream),
            Stream::Tcp(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Whether the server hung up, or said something unasked, since the last response.
    pub(super) fn is_stale(&self) -> bool {
        let mut byte = [0_u8];
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        let seen = rustix::net::recv(&self.stream, &mut byte[..], flags);
        !matches!(seen, Err(rustix::io::Errno::AGAIN))
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
            if let Some((mut response, start, length)) = head(&bytes)? {
                let end = start + length;
                while bytes.len() < end {
                    self.read_more(&mut bytes)?;
                }
                // Nothing was asked for that could follow.
                response.closes |= bytes.len() > end;
                bytes.truncate(end);
                bytes.drain(..start);
                response.body = bytes;
                return Ok(response);
            }
            if bytes.len() > MAX_HEAD {
                return Err(invalid("the head of the response is too long"));
            }
        }
    }

    fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
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
            0 => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "it hung up without an answer",
            )),
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

/// What the head of a response says, where its body starts and how long it is;
/// `None` while it is not all there.
fn head(bytes: &[u8]) -> io::Result<Option<(Response, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let parsed = head
        .parse(bytes)
        .map_err(|_| invalid("this is no response of HTTP"))?;
    let httparse::Status::Complete(start) = parsed else {
        return Ok(None);
    };
    let value = |name: &str| {
        let mut headers = head.headers.iter();
        let header = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
        str::from_utf8(header.value).ok()
    };
    let length = value("content-length").and_then(|length| length.trim().parse().ok());
    let length: usize =
        length.ok_or_else(|| invalid("the response does not say how long it is"))?;
    if length > MAX_BODY {
        return Err(invalid("the answer is longer than 64 MiB; ask for less"));
    }
    let response = Response {
        status: head.code.unwrap_or_default(),
        env_names: value("nudge-env").map(str::to_owned),
        body: Vec::new(),
        closes: value("connection").is_some_and(|word| word.eq_ignore_ascii_case("close")),
    };
    Ok(Some((response, start, length)))
}

fn invalid(words: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}
