//! MCP: the tools, resources and prompt of a session, over stdio and HTTP.
//!
//! rmcp speaks the protocol, in all its revisions; what is said is here. The
//! tools are data (`tools.json`, `small.rs`) and every call goes to the same
//! place as JSON-RPC does, so that a refusal is the same everywhere.

mod announce;
mod call;
mod framing;
mod handler;
mod observations;
mod prompt;
mod reply;
mod resources;
mod small;
mod suggestion;
mod tools;
mod watch;

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::ServiceExt;
use rmcp::model::Implementation;
use rmcp::service::ServerInitializeError;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch::{Receiver, channel};

use self::announce::Announcer;
use self::framing::LineTransport;
use self::watch::Watched;
use crate::config::LogLevel;
use crate::log::log;
use crate::platform::stdio;
use crate::proxy::session::Session;
use crate::surface::guard::MAX_BODY;

/// Where the clients of this surface are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Where this process is, because the client started it; what a call leaves
    /// out of its context is inferred.
    Here,
    /// Anywhere, as over HTTP: a call means what it says.
    Elsewhere,
}

/// Serves one client until its input ends.
///
/// An input that ends, or goes astray, before the client has opened the
/// protocol is an end like any other: hosts try a server out in this way.
pub async fn serve(
    session: Arc<Session>,
    place: Place,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let (held, input_held) = channel(());
    let surface = Surface::new(session, place, Some(input_held));
    let running = match surface.serve(LineTransport::new(input, output, held)).await {
        Ok(running) => running,
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::ExpectedInitializeRequest(_)
            | ServerInitializeError::Cancelled,
        ) => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

/// Serves the client that started this process, on standard input and output.
pub async fn serve_stdio(session: Arc<Session>) -> io::Result<()> {
    let (input, output, _borrowed) = stdio::open();
    serve(session, Place::Here, input, output).await
}

/// The route `/mcp`: Streamable HTTP without sessions.
///
/// Who may call is decided before a request gets here; rmcp's own check of the
/// origin is off unless it is given origins, so it is given ours.
pub fn router(session: Arc<Session>) -> axum::Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY)
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"]);
    let surface = Surface::new(session, Place::Elsewhere, None);
    let service = StreamableHttpService::new(
        move || Ok(surface.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    axum::Router::new().route_service("/mcp", service)
}

/// One client's view of a session.
#[derive(Clone)]
struct Surface {
    session: Arc<Session>,
    place: Place,
    watched: Arc<Mutex<Watched>>,
    announcer: Announcer,
    /// Open for as long as the client's input; absent where each request comes
    /// by itself.
    input: Option<Receiver<()>>,
}

impl Surface {
    fn new(session: Arc<Session>, place: Place, input: Option<Receiver<()>>) -> Surface {
        Surface {
            session,
            place,
            watched: Arc::default(),
            announcer: Announcer::default(),
            input,
        }
    }

    /// Waits for the end of the client's input. rmcp lets what is under way
    /// finish then, for seconds; what would never finish has to end by itself.
    async fn hung_up(&self) {
        let Some(mut input) = self.input.clone() else {
            return std::future::pending().await;
        };
        while input.changed().await.is_ok() {}
    }

    /// Lets the other members know whom this process serves, where it serves one.
    fn introduce(&self, client: Option<&Implementation>) {
        if self.is_here()
            && let Some(name) = client.and_then(call::name)
        {
            self.session.introduce(name);
        }
    }

    /// Finds out who owns the store, before a call has to wait for it. Who asks
    /// for this means it: hosts that only look what a server speaks do not.
    async fn settle(&self) {
        if let Err(fault) = self.session.settle().await {
            log(LogLevel::Warn, &reply::error(&fault).message);
        }
    }
}
