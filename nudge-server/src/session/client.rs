//! `Client`: JSON-RPC over HTTP on the Unix socket or TCP, for the CLI and for a PROXY.
//!
//! It blocks, and needs no runtime: a command of the CLI is over before one
//! would have started.

mod connection;

use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nudge::{Error, ErrorKind};
use parking_lot::Mutex;
use rustix::process::Pid;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::door::rpc::{Answer, Fault};
use crate::session::primary::{PRODUCT, nonce};
use connection::Connection;

/// Speaks to the process that owns the store, over one connection that is kept.
#[derive(Debug)]
pub struct Client {
    place: Place,
    connection: Mutex<Option<Connection>>,
    /// The process that answers, where the kernel tells.
    peer: Option<Pid>,
    env: Mutex<EnvNames>,
    /// What the ids of this client's requests start with.
    prefix: String,
    requests: AtomicU64,
}

/// Where the server is.
#[derive(Debug)]
enum Place {
    Unix(PathBuf),
    Tcp { port: u16, nonce: Option<String> },
}

/// The variables that live scopes mention, as the header had them and read.
#[derive(Debug, Default)]
struct EnvNames {
    header: String,
    names: Vec<String>,
}

/// Why a request got no answer at all.
#[derive(Debug)]
pub(crate) struct Gone(io::Error);

impl Gone {
    /// Whether the server went away, so that another one may be asked. One that
    /// is merely slow may still be at it.
    pub(crate) fn left(&self) -> bool {
        use io::ErrorKind::{InvalidData, TimedOut, WouldBlock};
        !matches!(self.0.kind(), InvalidData | TimedOut | WouldBlock)
    }

    /// Whether the server had read the whole request before it went. Had it not,
    /// the kernel would have told us so by a reset.
    pub(crate) fn was_read(&self) -> bool {
        self.0.kind() == io::ErrorKind::UnexpectedEof
    }
}

impl From<Gone> for Fault {
    fn from(gone: Gone) -> Fault {
        let why = &gone.0;
        let words = if gone.left() {
            format!("the server cannot be reached ({why}); start one with `nudge serve`")
        } else if why.kind() == io::ErrorKind::InvalidData {
            format!("the answer of the server cannot be read: {why}")
        } else {
            format!("the server does not answer ({why}); end it with `nudge stop`, or its process")
        };
        Fault::Core(Error::new(ErrorKind::Unavailable, words))
    }
}

impl Client {
    /// Connects to the socket of a PRIMARY, and only to one of this user.
    pub fn unix(socket: &Path) -> io::Result<Client> {
        Client::connect(Place::Unix(socket.to_owned()))
    }

    /// Connects to a port on 127.0.0.1, and only to Nudge: it is asked who it is
    /// before it is told anything, and must know the nonce if one is given.
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
            peer: connection.peer(),
            connection: Mutex::new(Some(connection)),
            env: Mutex::default(),
            prefix: nonce(),
            requests: AtomicU64::new(0),
        })
    }

    /// Calls a method with the text of its params, and waits for the answer.
    ///
    /// A server that cannot be reached is [`ErrorKind::Unavailable`]; an error
    /// of the server is passed on as it is.
    pub fn call_blocking(&self, method: &str, params: &str) -> Answer {
        let answer = self.send(&self.request_id(), method, params);
        answer.unwrap_or_else(|gone| Err(gone.into()))
    }

    /// Calls a method as [`Client::call_blocking`] does, on a thread that may wait.
    pub async fn call(self: Arc<Self>, method: &str, params: &str) -> Answer {
        let id = self.request_id();
        let answer = self.send_elsewhere(id, method, params).await;
        answer.unwrap_or_else(|gone| Err(gone.into()))
    }

    /// The variables that live scopes mention, as of the last answer.
    #[must_use]
    pub fn env_names(&self) -> Vec<String> {
        self.env.lock().names.clone()
    }

    /// Another connection to the same server, to read its events from.
    pub(crate) fn event_socket(&self) -> io::Result<UnixStream> {
        match &self.place {
            Place::Unix(socket) => self.same_server(Connection::unix(socket)?)?.into_unix(),
            Place::Tcp { .. } => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Refuses a connection to a server that has come in the place of ours:
    /// whether we agree with it is found out by joining it.
    fn same_server(&self, connection: Connection) -> io::Result<Connection> {
        if connection.peer() == self.peer {
            return Ok(connection);
        }
        Err(io::Error::new(
            io::ErrorKind::ConnectionAborted,
            "another server has taken its place",
        ))
    }

    /// A name for a call that no other call of any process has, and that it
    /// keeps when it is repeated.
    pub(crate) fn request_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number}", self.prefix)
    }

    pub(crate) async fn send_elsewhere(
        self: Arc<Self>,
        id: String,
        method: &str,
        params: &str,
    ) -> Result<Answer, Gone> {
        let (method, params) = (method.to_owned(), params.to_owned());
        let sent = tokio::task::spawn_blocking(move || self.send(&id, &method, &params));
        sent.await
            .unwrap_or_else(|error| Err(Gone(io::Error::other(error))))
    }

    /// Sends a call. A kept connection that the server has closed meanwhile is
    /// replaced, as long as the request cannot have reached it whole.
    pub(crate) fn send(&self, id: &str, method: &str, params: &str) -> Result<Answer, Gone> {
        let name = serde_json::to_string(method).unwrap_or_default();
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":{name},"params":{params}}}"#);
        let host = self.place.host();
        let request = format!(
            "POST /rpc HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Nudge-Request-Id: {id}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut kept = self.connection.lock();
        let old = kept.take().filter(|connection| !connection.is_stale());
        let sent = old.and_then(|mut connection| {
            connection.write(request.as_bytes()).ok()?;
            Some(connection)
        });
        let (mut connection, sent) = if let Some(connection) = sent {
            (connection, Ok(()))
        } else {
            let connected = self.place.connect();
            let connected = connected.and_then(|connection| self.same_server(connection));
            let mut connection = connected.map_err(Gone)?;
            let sent = connection.write(request.as_bytes());
            (connection, sent)
        };
        // A server that refuses a request because of its size says so and hangs up
        // before it has read it all.
        let response = connection
            .read()
            .map_err(|error| Gone(sent.err().unwrap_or(error)))?;
        self.note_env_names(response.env_names.unwrap_or_default());
        let answer = match response.status {
            200 => answer(&response.body).map_err(Gone)?,
            status => Err(refused(status, &response.body)),
        };
        if !response.closes {
            *kept = Some(connection);
        }
        Ok(answer)
    }

    fn note_env_names(&self, header: String) {
        let mut env = self.env.lock();
        if env.header != header {
            env.names = serde_json::from_str(&header).unwrap_or_default();
            env.header = header;
        }
    }
}

impl Place {
    fn connect(&self) -> io::Result<Connection> {
        match self {
            Place::Unix(socket) => Connection::unix(socket),
            Place::Tcp { port, nonce } => {
                let mut connection = Connection::tcp(*port)?;
                let request = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", self.host());
                connection.write(request.as_bytes())?;
                check_health(*port, nonce.as_deref(), &connection.read()?.body)?;
                Ok(connection)
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
fn check_health(port: u16, nonce: Option<&str>, body: &[u8]) -> io::Result<()> {
    #[derive(Deserialize)]
    struct Health {
        product: String,
        #[serde(default)]
        nonce: Option<String>,
    }
    let health: Option<Health> = serde_json::from_slice(body).ok();
    let words = match health {
        Some(health) if health.product != PRODUCT => format!("port {port} is another product's"),
        None => format!("port {port} is another product's"),
        Some(health) if nonce.is_some() && health.nonce.as_deref() != nonce => {
            format!("port {port} is another server's than the one of the runtime folder")
        }
        Some(_) => return Ok(()),
    };
    let words = format!("{words}; see `nudge status` for the port of yours");
    Err(io::Error::new(io::ErrorKind::InvalidData, words))
}

/// The result or the error object of a response, unchanged.
fn answer(body: &[u8]) -> io::Result<Answer> {
    #[derive(Deserialize)]
    struct Response {
        result: Option<Box<RawValue>>,
        error: Option<Box<RawValue>>,
    }
    let response: Response = serde_json::from_slice(body)?;
    match (response.result, response.error) {
        (Some(result), None) => Ok(Ok(result)),
        (None, Some(error)) => Ok(Err(Fault::Passed(error))),
        _ => {
            let words = "the response has neither a result nor an error";
            Err(io::Error::new(io::ErrorKind::InvalidData, words))
        }
    }
}

/// The fault for a response that is none of JSON-RPC's.
fn refused(status: u16, body: &[u8]) -> Fault {
    let body = String::from_utf8_lossy(body);
    let said = body.lines().next().unwrap_or_default();
    let words = format!("the server refused the call with status {status}: {said}");
    Fault::Core(Error::new(ErrorKind::Unavailable, words))
}
