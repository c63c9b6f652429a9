//! `Client`: calls over one connection that is kept, to whoever owns the store.

use std::io;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;

use crate::answer::{Answer, Fault};
use crate::connection::Blocking;
use crate::exchange::{Exchange, Stream, exchange, wait};
use crate::folder::{Key, Runtime, read_key};
use crate::http::{self, Gone, Told};
use crate::platform::is_at_work;
use crate::random::nonce;
use crate::sender::Sender;
use crate::start::Starter;
use crate::transport::{Method, Place, Transport};

/// How many servers may hear a call and go away before it is given up: the call
/// itself may be what ends them.
const HEARD: usize = 3;

/// How long a call is repeated to servers that come and go.
const REPEATED_FOR: Duration = Duration::from_secs(10);

/// How long a server may be at work and answer nobody.
const OVERLOADED: Duration = Duration::from_secs(10);

/// The same where the system does not tell whether it is at work.
const PERHAPS_OVERLOADED: Duration = Duration::from_secs(5);

/// How long to wait before one looks again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(2)];

/// How soon after a start another is tried where nobody answers yet.
const START_AGAIN: Duration = Duration::from_millis(250);

/// Speaks to the process that owns the store.
///
/// One call is under way at a time. Those that write are numbered, so that one that is
/// repeated because its answer was lost is known, also to the next server.
#[derive(Debug)]
pub struct Client<T: Transport = Blocking> {
    transport: T,
    place: Place,
    /// The session folder, which has its client key.
    runtime: Option<Runtime>,
    /// How a server is started where none answers.
    starter: Option<Starter>,
    /// What is said on every new connection, so that it counts as joined.
    introduction: Mutex<Option<String>>,
    /// What this client is known by, once it writes.
    name: LazyLock<String>,
    line: Turn<Line<T::Stream>>,
    pub(crate) told: Mutex<Told>,
}

/// The connection, and what belongs to it.
#[derive(Debug)]
struct Line<S> {
    stream: Option<S>,
    key: Option<String>,
    /// What was said on it of who we are.
    said: Option<String>,
    writes: u64,
}

impl Client {
    /// Connects to the socket of a server, and only to one of this user.
    pub fn unix(socket: &Path) -> io::Result<Client> {
        let mut client = Client::new(Blocking, Place::Unix(socket.to_owned()), None);
        client.runtime = Some(Runtime::as_it_is(socket.parent().unwrap_or(socket)));
        client.open()
    }

    /// Connects to a port on 127.0.0.1, and only to Nudge: it is asked who it is
    /// before it is told anything, and must know the nonce of the PID file.
    pub fn tcp(port: u16, nonce: Option<&str>) -> Result<Client, Fault> {
        let nonce = nonce.map(str::to_owned);
        let client = Client::new(Blocking, Place::Tcp { port, nonce }, None);
        client.open().map_err(|error| {
            let words = match error.kind() {
                io::ErrorKind::InvalidData => error.to_string(),
                _ => format!(
                    "no server on port {port} ({error}); start one with `nudge serve --port {port}`"
                ),
            };
            Fault::unavailable(words)
        })
    }

    /// The client of a session folder, which starts a server where none answers if it is
    /// told how.
    #[must_use]
    pub fn of(runtime: &Runtime, starter: Option<Starter>) -> Client {
        Client::within(Blocking, runtime, starter)
    }

    fn open(self) -> io::Result<Client> {
        let stream = wait(self.connect())?;
        {
            let mut line = wait(self.line.lock());
            let opened = wait(self.opened(stream, &mut line));
            line.stream = Some(opened.map_err(|gone| gone.error)?);
        }
        Ok(self)
    }

    /// Calls a method with the text of its params, as a process that speaks for itself,
    /// and waits for the answer.
    ///
    /// A server that cannot be reached is [`nudge::ErrorKind::Unavailable`]; an error
    /// of the server is passed on as it is.
    pub fn call_blocking<'a>(&self, method: impl Into<Method<'a>>, params: &str) -> Answer {
        self.call_from(&Sender::process(), method, params)
    }

    /// Calls a method as [`Client::call_blocking`] does, and says who calls.
    pub fn call_from<'a>(
        &self,
        sender: &Sender,
        method: impl Into<Method<'a>>,
        params: &str,
    ) -> Answer {
        wait(self.call(sender, method.into(), params))
    }

    /// Finds the server, or starts it.
    pub fn reach(&self) -> Result<(), Fault> {
        wait(self.join())
    }
}

impl<T: Transport> Client<T> {
    fn new(transport: T, place: Place, starter: Option<Starter>) -> Client<T> {
        Client {
            transport,
            place,
            runtime: None,
            starter,
            introduction: Mutex::default(),
            name: LazyLock::new(nonce),
            line: Turn::new(Line {
                stream: None,
                key: None,
                said: None,
                writes: 0,
            }),
            told: Mutex::default(),
        }
    }

    /// The client of a session folder that connects and waits in some way.
    pub fn within(transport: T, runtime: &Runtime, starter: Option<Starter>) -> Client<T> {
        let mut client = Client::new(transport, Place::Unix(runtime.socket()), starter);
        client.runtime = Some(runtime.clone());
        client
    }

    /// What is said on every connection from now on before anything else: params of
    /// `nudge.hello`. It then counts as joined, and stays open.
    pub fn introduce(&self, introduction: String) {
        *self.introduction.lock() = Some(introduction);
    }

    /// How it connects and waits.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// What the server wants the user to know, once.
    #[must_use]
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.told.lock().notices)
    }

    /// Another connection to the server, if one answers.
    pub async fn connect(&self) -> io::Result<T::Stream> {
        self.transport.connect(&self.place).await
    }

    /// Finds the server, or starts it, and says who we are.
    pub async fn join(&self) -> Result<(), Fault> {
        let mut line = self.line.lock().await;
        let stream = self.stream(&mut line).await?;
        line.stream = Some(stream);
        Ok(())
    }

    /// Calls a method.
    ///
    /// Where the connection breaks, the next server is found or started and the call made
    /// again under its number, so that it is done once.
    pub async fn call(&self, sender: &Sender, method: Method<'_>, params: &str) -> Answer {
        let mut line = self.line.lock().await;
        let id = method.writes.then(|| {
            line.writes += 1;
            format!("{}-{}", *self.name, line.writes)
        });
        let (mut heard, start) = (0, Instant::now());
        let mut pauses = Pauses::new();
        loop {
            let stream = self.stream(&mut line).await?;
            let more = sender.header_line(line.key.as_deref());
            let lines = [stream.head(), &more].concat();
            let request = http::request(&lines, id.as_deref(), method.name, params);
            let answered = match self.exchange(stream, request.as_bytes()).await {
                Ok((response, stream)) => {
                    line.stream = stream;
                    response.answer(&mut self.told.lock())
                }
                Err(gone) => Err(gone),
            };
            match answered {
                Ok(answer) => return answer,
                Err(gone) if gone.left() => {
                    heard += usize::from(gone.was_read());
                    if heard == HEARD || start.elapsed() > REPEATED_FOR {
                        return Err(gone.into());
                    }
                    self.transport.pause(pauses.next()).await;
                }
                Err(gone) => return Err(gone.into()),
            }
        }
    }

    async fn exchange(
        &self,
        stream: T::Stream,
        request: &[u8],
    ) -> Result<(http::Response, Option<T::Stream>), Gone> {
        let (peer, start) = (stream.peer(), Instant::now());
        let mut exchange = Exchange::begin(stream, request).await;
        loop {
            match exchange.response().await {
                Ok(response) => {
                    let stream = exchange.kept(&response);
                    return Ok((response, stream));
                }
                // It may take its time, as long as it answers others; on a machine that is
                // overloaded it has no time for anybody.
                Err(error)
                    if http::is_silence(&error)
                        && (self.is_alive().await || may_be_overloaded(peer, start.elapsed())) => {}
                Err(error) => return Err(Gone { error, peer }),
            }
        }
    }

    /// A line of a request's head by which the server that runs knows who sends it.
    pub fn header_line(&self, sender: &Sender) -> String {
        sender.header_line(self.key().as_deref())
    }

    fn key(&self) -> Option<String> {
        let runtime = self.runtime.as_ref()?;
        read_key(&Key::Client.within(runtime.folder()))
    }

    /// Whether the server answers anybody: one may take its time for a call.
    async fn is_alive(&self) -> bool {
        let Ok(stream) = self.connect().await else {
            return false;
        };
        let request = http::health(stream.head());
        exchange(stream, request.as_bytes()).await.is_ok()
    }

    /// The connection that is kept, on which the server knows who we are, or a new one.
    async fn stream(&self, line: &mut Line<T::Stream>) -> Result<T::Stream, Fault> {
        if let Some(stream) = line.stream.take().filter(|stream| !stream.is_stale()) {
            match self.joined(stream, line).await {
                Ok(stream) => return Ok(stream),
                Err(gone) if gone.left() => {}
                Err(gone) => return Err(gone.into()),
            }
        }
        self.found(line).await
    }

    /// A new connection to the server that runs, or to one that is started now.
    async fn found(&self, line: &mut Line<T::Stream>) -> Result<T::Stream, Fault> {
        let start = Instant::now();
        let mut next_start = start;
        let mut pauses = Pauses::new();
        loop {
            let refused = match self.connect().await {
                Ok(stream) => match self.opened(stream, line).await {
                    Ok(stream) => return Ok(stream),
                    Err(gone) if gone.left() => gone,
                    Err(gone) => return Err(gone.into()),
                },
                Err(error) => error.into(),
            };
            if !refused.left() {
                return Err(refused.into());
            }
            let Some(starter) = &self.starter else {
                return Err(no_server());
            };
            if Instant::now() >= next_start {
                let turn = self.runtime.as_ref().and_then(Runtime::try_start);
                // Whoever has it may have been stopped, and is waited for once.
                if turn.is_some() || next_start > start {
                    self.transport.start(starter).await?;
                }
                if starter.patience.is_zero() {
                    return Err(no_server());
                }
                next_start = Instant::now() + START_AGAIN;
            } else if start.elapsed() > starter.patience {
                return Err(unanswered());
            } else {
                self.transport.pause(pauses.next()).await;
            }
        }
    }

    /// A new connection that is ready for calls.
    async fn opened(
        &self,
        stream: T::Stream,
        line: &mut Line<T::Stream>,
    ) -> Result<T::Stream, Gone> {
        // Another session has another key.
        line.key = self.key();
        line.said = None;
        self.joined(stream, line).await
    }

    /// A connection on which we have said who we are, where anybody is to know.
    async fn joined(
        &self,
        stream: T::Stream,
        line: &mut Line<T::Stream>,
    ) -> Result<T::Stream, Gone> {
        let introduction = self.introduction.lock().clone();
        if line.said == introduction {
            return Ok(stream);
        }
        line.said.clone_from(&introduction);
        let introduction = introduction.unwrap_or_default();
        let us = Sender::process().header_line(line.key.as_deref());
        let head = [stream.head(), &us].concat();
        let hello = http::request(&head, None, "nudge.hello", &introduction);
        let (response, stream) = self.exchange(stream, hello.as_bytes()).await?;
        // What is wrong with it is said by the call that follows.
        let _ = response.answer(&mut self.told.lock());
        stream.ok_or_else(|| http::hung_up().into())
    }
}

/// Pauses between looks at what is about to change, longer and longer.
struct Pauses(Duration);

impl Pauses {
    fn new() -> Pauses {
        Pauses(PAUSES[0])
    }

    fn next(&mut self) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(PAUSES[1]);
        pause
    }
}

/// Whether a server that answers nobody may only have too much to do.
fn may_be_overloaded(peer: Option<u32>, waited: Duration) -> bool {
    match peer.and_then(is_at_work) {
        Some(is_at_work) => is_at_work && waited < OVERLOADED,
        None => waited < PERHAPS_OVERLOADED,
    }
}

/// The fault for a server that is not there.
#[must_use]
pub fn no_server() -> Fault {
    Fault::unavailable("no server is running; start one with `nudge serve`")
}

fn unanswered() -> Fault {
    Fault::unavailable("a server was started, but none answers; run `nudge doctor` to see why")
}
