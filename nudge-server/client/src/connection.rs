//! A connection that blocks its thread, to the server of a session folder or to a port.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use nudge::Error;
use socket2::Socket;

use crate::client::Client;
use crate::exchange::{self, Event, SILENCE, Stream, wait};
use crate::health;
use crate::platform::{self, is_stale};
use crate::sender::Sender;
use crate::start::Starter;
use crate::transport::{Place, Transport};

/// How much is read at a time.
const ROOM: usize = 256 * 1024;

/// How long a server may take to read a request.
pub(crate) const WRITTEN_WITHIN: Duration = Duration::from_secs(10);

/// How long a server that tells events may say nothing. It shows every 15 s that it is there.
const QUIET_FOR: Duration = Duration::from_secs(40);

/// The transport of a thread. A command of the CLI is over before a runtime would have
/// started.
#[derive(Debug, Clone, Copy)]
pub struct Blocking;

impl Transport for Blocking {
    type Stream = Connection;

    async fn connect(&self, place: &Place) -> io::Result<Connection> {
        Connection::open(place)
    }

    async fn pause(&self, pause: Duration) {
        sleep(pause);
    }

    async fn start(&self, starter: &Starter) -> Result<(), Error> {
        Ok(starter.start()?)
    }
}

/// A connection whose responses were read to their ends.
#[derive(Debug)]
pub struct Connection {
    stream: Socket,
    peer: Option<u32>,
    head: String,
}

impl Connection {
    /// A connection to a server that is called by this name.
    pub(crate) fn new(stream: Socket, peer: Option<u32>, host: &str) -> Connection {
        let head = format!("Host: {host}\r\n");
        Connection { stream, peer, head }
    }

    /// Connects to a place, and only to a server of this user.
    pub fn open(place: &Place) -> io::Result<Connection> {
        match place {
            Place::Unix(socket) => platform::connect(socket),
            Place::Tcp { port, nonce } => health::ours(*port, nonce.as_deref()),
        }
    }

    /// The same to a known process, which is shown the token by every request.
    #[must_use]
    pub fn shows(self, token: &str, peer: u32) -> Connection {
        let head = format!("{}Authorization: Bearer {token}\r\n", self.head);
        Connection {
            head,
            peer: Some(peer),
            ..self
        }
    }

    /// The socket, what every request says first, and the process at the other end.
    #[must_use]
    pub fn into_parts(self) -> (Socket, String, Option<u32>) {
        (self.stream, self.head, self.peer)
    }

    /// Connects to a port of this machine.
    pub(crate) fn tcp(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), SILENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(WRITTEN_WITHIN))?;
        let host = format!("127.0.0.1:{port}");
        Ok(Connection::new(stream.into(), None, &host))
    }
}

impl Stream for Connection {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    async fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let old = bytes.len();
        // No more than comes at a time: an answer of a hundred megabytes has as much room again.
        bytes.resize(bytes.capacity().min(old + ROOM), 0);
        let room = bytes.get_mut(old..).unwrap_or_default();
        let count = loop {
            match self.stream.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count,
            }
        };
        bytes.truncate(old + *count.as_ref().unwrap_or(&0));
        count
    }

    fn peer(&self) -> Option<u32> {
        self.peer
    }

    fn head(&self) -> &str {
        &self.head
    }

    fn is_stale(&self) -> bool {
        is_stale(&self.stream, true)
    }
}

/// What happens in the store, waited for by a thread.
#[derive(Debug)]
pub struct Events(exchange::Events<Connection>);

impl Events {
    /// Waits for the next event. The end of the stream is an error like any other.
    pub fn next_event(&mut self) -> io::Result<Event> {
        wait(self.0.next())
    }
}

impl Client {
    /// The events of the store that a sender may read, after a number, or from now on, over a
    /// connection of their own.
    pub fn events(&self, sender: &Sender, after: Option<u64>) -> io::Result<Events> {
        let connection = wait(self.connect())?;
        let who = self.header_line(sender);
        let events = wait(exchange::Events::open(connection, &who, after))?;
        let socket = &events.stream.stream;
        socket.set_read_timeout(Some(QUIET_FOR))?;
        Ok(Events(events))
    }
}

/// The process that listens on a socket of this user, whether it answers or not; `None`
/// where the kernel does not tell.
pub fn listener(socket: &Path) -> io::Result<Option<u32>> {
    platform::connect(socket).map(|connection| connection.peer)
}
