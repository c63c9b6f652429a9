//! `Transport`: how a client connects and waits, and what it calls where.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use nudge::{Error, Operation};

use crate::exchange::Stream;
use crate::start::Starter;

/// A method of the wire.
#[derive(Debug, Clone, Copy)]
pub struct Method<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it may change the store, so that it must not be done twice.
    pub writes: bool,
}

impl From<Operation> for Method<'_> {
    fn from(operation: Operation) -> Self {
        Method::from(operation.about().name)
    }
}

impl<'a> From<&'a str> for Method<'a> {
    /// What only the server knows may write.
    fn from(name: &'a str) -> Method<'a> {
        let writes = Operation::named(name).is_none_or(|operation| operation.about().writes);
        Method { name, writes }
    }
}

/// How a client connects and waits: as a thread does, or as a task.
pub trait Transport: Send + Sync {
    /// What it connects.
    type Stream: Stream + Send;

    /// Connects to the server, if it is this user's.
    fn connect(&self, place: &Place) -> impl Future<Output = io::Result<Self::Stream>> + Send;

    /// Waits a little.
    fn pause(&self, pause: Duration) -> impl Future<Output = ()> + Send;

    /// Starts a server, and waits until it serves or has ended.
    fn start(&self, starter: &Starter) -> impl Future<Output = Result<(), Error>> + Send;
}

/// Where the server is.
#[derive(Debug, Clone)]
pub enum Place {
    /// On the socket of a session folder, or where the file says that is in its place.
    Unix(PathBuf),
    /// On a port of 127.0.0.1, where it must know the nonce of the PID file.
    Tcp {
        /// The port.
        port: u16,
        /// The nonce.
        nonce: Option<String>,
    },
}
