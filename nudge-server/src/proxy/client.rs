//! `Client`: JSON-RPC over HTTP on the Unix socket or TCP, for the CLI.
//!
//! It blocks, and needs no runtime: a command of the CLI is over before one
//! would have started.

mod connection;
pub(super) mod exchange;
mod health;
pub(super) mod wire;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use connection::Connection;
use exchange::{exchange, wait};
use nudge::{Error, ErrorKind};
use parking_lot::Mutex;
use wire::{EnvNames, Gone};

use crate::platform::runtime::{Key, read_key};
use crate::primary::operations::Method;
use crate::proxy::request_id::RequestIds;
use crate::wire::identity::PRODUCT;
use crate::wire::sender::Sender;
use crate::wire::{Answer, Fault};

pub(crate) use exchange::Event;
pub(crate) use health::{Health, health};

/// How long a server that went away may take to be succeeded.
const SUCCESSION: Duration = Duration::from_secs(1);

/// How long to wait before it is looked for again.
const PAUSE: Duration = Duration::from_millis(10);

/// How long a server that tells events may say nothing. It shows every 15 s that it is there.
const SILENCE: Duration = Duration::from_secs(40);

/// How long a call may take that is about all that is stored.
const BULK: Duration = Duration::from_mins(10);

/// Speaks to the process that owns the store, over one connection that is kept.
#[derive(Debug)]
pub struct Client {
    place: Place,
    /// Where the client key of its session is.
    pub(crate) key_file: Option<PathBuf>,
    connection: Mutex<Option<Connection>>,
    env: Mutex<EnvNames>,
    ids: RequestIds,
}

/// What happens in the store, waited for by a thread.
#[derive(Debug)]
pub(crate) struct Events(exchange::Events<Connection>);

impl Events {
    /// Waits for the next event. The end of the stream is an error like any other.
    pub(crate) fn next(&mut self) -> io::Result<Event> {
        wait(self.0.next())
    }
}

/// Where the server is.
#[derive(Debug)]
enum Place {
    Unix(PathBuf),
    Tcp { port: u16, nonce: Option<String> },
}

impl Client {
    /// Connects to the socket of a PRIMARY, and only to one of this user.
    pub fn unix(socket: &Path) -> io::Result<Client> {
        let mut client = Client::connect(Place::Unix(socket.to_owned()))?;
        client.key_file = Some(Key::Client.beside(socket));
        Ok(client)
    }

    /// Connects to a port on 127.0.0.1, and only to Nudge: it is asked who it is
    /// before it is told anything, and must know the nonce of the PID file.
    pub fn tcp(port: u16, nonce: Option<&str>) -> Result<Client, Fault> {
        let nonce = nonce.map(str::to_owned);
        let connected = Client::connect(Place::Tcp { port, nonce });
        connected.map_err(|error| {
            let words = match error.kind() {
                io::ErrorKind::InvalidData => error.to_string(),
                _ => format!(
                    "no server on port {port} ({error}); start one with `nudge serve --port {port}`"
                ),
            };
            Fault::Core(Error::new(ErrorKind::Unavailable, words))
        })
    }

    fn connect(place: Place) -> io::Result<Client> {
        let connection = place.connect()?;
        Ok(Client {
            place,
            key_file: None,
            connection: Mutex::new(Some(connection)),
            env: Mutex::default(),
            ids: RequestIds::new(),
        })
    }

    /// Calls a method with the text of its params, as the CLI, and waits for the answer.
    ///
    /// A server that cannot be reached is [`ErrorKind::Unavailable`]; an error
    /// of the server is passed on as it is.
    pub fn call_blocking(&self, method: impl Into<Method>, params: &str) -> Answer {
        self.call_from(&Sender::process(), method, params)
    }

    /// Calls a method as [`Client::call_blocking`] does, and says who calls.
    pub fn call_from(&self, sender: &Sender, method: impl Into<Method>, params: &str) -> Answer {
        let method = method.into();
        let id = self.ids.next();
        let start = Instant::now();
        loop {
            match self.send(&id, sender, method, params) {
                Ok(answer) => return answer,
                // A member of the session takes the place of a PRIMARY that is
                // gone, and knows the call by its id.
                Err(gone) if gone.left() && start.elapsed() < SUCCESSION => sleep(PAUSE),
                Err(gone) => return Err(gone.into()),
            }
        }
    }

    /// The events of the store after a number, or from now on, over a connection
    /// of their own.
    pub(crate) fn events(&self, after: Option<u64>) -> io::Result<Events> {
        let connection = self.place.connect()?;
        let events = wait(exchange::Events::open(
            connection,
            &self.place.host(),
            after,
        ))?;
        events.stream.wait_up_to(SILENCE)?;
        Ok(Events(events))
    }

    /// The variables that live scopes mention, as of the last answer.
    #[must_use]
    pub fn env_names(&self) -> Arc<[String]> {
        Arc::clone(&self.env.lock().names)
    }

    fn send(
        &self,
        id: &str,
        sender: &Sender,
        method: Method,
        params: &str,
    ) -> Result<Answer, Gone> {
        // Whoever serves by now may have a key of its own.
        let key = self.key_file.as_deref().and_then(read_key);
        let more = sender.header_line(key.as_deref());
        let request = wire::request(&self.place.host(), &more, id, method.name(), params);
        let mut kept = self.connection.lock();
        // What may take long has a connection of its own, which waits longer.
        let (bulk, mut own) = (method.is_bulk(), None);
        let kept = if bulk { &mut own } else { &mut *kept };
        let connected = async {
            let connection = self.place.connect()?;
            if bulk {
                connection.wait_up_to(BULK)?;
            }
            Ok(connection)
        };
        let response = wait(exchange(kept.take(), connected, request.as_bytes()));
        let response = response.map_err(Gone)?;
        *kept = response.1;
        response.0.answer(&mut self.env.lock())
    }
}

/// The process that listens on a socket of this user, whether it answers or not.
pub(crate) fn listener(socket: &Path) -> io::Result<u32> {
    let pid = Connection::unix(socket)?.peer()?;
    Ok(pid.as_raw_nonzero().get().unsigned_abs())
}

impl Place {
    fn connect(&self) -> io::Result<Connection> {
        match self {
            Place::Unix(socket) => Connection::unix(socket),
            Place::Tcp { port, nonce } => {
                let (connection, health) = health::asked(*port)?;
                check_health(*port, nonce.as_deref(), health.as_ref())?;
                connection.ok_or_else(wire::hung_up)
            }
        }
    }

    fn host(&self) -> String {
        match self {
            Place::Unix(_) => "localhost".to_owned(),
            Place::Tcp { port, .. } => format!("127.0.0.1:{port}"),
        }
    }
}

/// Refuses who is not Nudge, or not the one whose nonce we know.
fn check_health(port: u16, nonce: Option<&str>, health: Option<&Health>) -> io::Result<()> {
    let words = match health.filter(|health| health.product == PRODUCT) {
        None => format!("port {port} is another product's"),
        Some(health) if nonce.is_none() || health.nonce.as_deref() != nonce => {
            format!("port {port} is another server's than the one of the runtime folder")
        }
        Some(_) => return Ok(()),
    };
    let words = format!("{words}; see `nudge status` for the port of yours");
    Err(io::Error::new(io::ErrorKind::InvalidData, words))
}
