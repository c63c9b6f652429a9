//! The listeners: who is let in, and how everybody goes when the server ends.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use nudge_client::platform::let_queue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::{CLOSED, Watched};
use super::connection_limit::{ConnectionLimit, Slot, Work};
use super::{Shared, routes};
use crate::config::LogLevel;
use crate::log::log_with;
use crate::platform::{local, peer};
use crate::primary::{Joined, Primary};
use crate::surface::guard::{Guard, Peer};
use crate::surface::page;

/// How long answers that are under way may take once the server ends. A clean
/// end takes less than 100 ms in all.
const FAREWELL: Duration = Duration::from_millis(50);

/// How long to wait for a connection to close when no more can be accepted.
const BREATH: Duration = Duration::from_millis(10);

/// How many connections may wait to be accepted.
const QUEUE: i32 = 1024;

/// The most bytes of a request's head.
const MAX_HEAD: usize = 64 * 1024;

/// Serves on 127.0.0.1 until the owner of the store is stopped.
pub async fn serve_tcp(listener: TcpListener, primary: Arc<Primary>, mcp: Router, token: Arc<str>) {
    let_queue(&listener, QUEUE);
    let own = listener.local_addr();
    let port = own.map_or(primary.identity.port, |own| own.port());
    let surface = Surface::new(Guard::tcp(port, token), primary, mcp);
    serve(Port(listener), surface).await;
}

/// Serves the page, and what it asks for, on a port of its own of 127.0.0.1 until the
/// owner of the store is stopped.
pub async fn serve_page(listener: TcpListener, primary: Arc<Primary>) {
    let port = listener.local_addr().map_or(0, |own| own.port());
    primary.page.is_at(port);
    let guard = Guard::page(port, Arc::clone(&primary.page.key));
    let show = Router::new().route("/", get(page::show));
    serve(Port(listener), Surface::new(guard, primary, show)).await;
}

/// Serves on the socket of a session folder until the owner of the store is stopped.
pub async fn serve_unix(listener: local::Listener, primary: Arc<Primary>, mcp: Router) {
    let surface = Surface::new(Guard::unix(), primary, mcp);
    serve(listener, surface).await;
}

/// Where connections come from.
trait Listener: Send {
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection, and who is at its other end.
    fn next(&mut self) -> impl Future<Output = io::Result<(Self::Stream, Process)>> + Send;
}

/// The process at the other end of a connection, as far as the system can tell.
#[derive(Debug, Clone, Copy)]
struct Process {
    uid: Option<u32>,
    pid: Option<u32>,
}

/// A port; where folders have no sockets, what listens in one has the same type.
struct Port(TcpListener);

impl Listener for Port {
    type Stream = TcpStream;

    async fn next(&mut self) -> io::Result<(TcpStream, Process)> {
        let (stream, _) = self.0.accept().await?;
        // An answer is written at once and whole; to wait for more would only
        // make clients wait.
        let _ = stream.set_nodelay(true);
        let uid = peer::uid(&stream);
        Ok((stream, Process { uid, pid: None }))
    }
}

impl Listener for local::Listener {
    type Stream = local::Stream;

    async fn next(&mut self) -> io::Result<(Self::Stream, Process)> {
        let (stream, _) = self.accept().await?;
        let (uid, pid) = local::peer(&stream);
        Ok((stream, Process { uid, pid }))
    }
}

/// The routes with their guard in front.
struct Surface {
    guard: Guard,
    shared: Arc<Shared>,
    routes: TowerToHyperService<Router>,
}

impl Surface {
    fn new(guard: Guard, primary: Arc<Primary>, mcp: Router) -> Arc<Surface> {
        let shared = Arc::new(Shared { primary });
        let routes = TowerToHyperService::new(routes(Arc::clone(&shared), mcp));
        Arc::new(Surface {
            guard,
            shared,
            routes,
        })
    }

    fn is_stopped(&self) -> bool {
        *self.shared.primary.stopped().borrow()
    }

    async fn answer(&self, request: Request<Incoming>, by: Process, work: &Work) -> Response {
        let is_from_reader = page::is_asked_for_by_reader(&request);
        let mut response = match self
            .guard
            .admit(request, by.uid, |headers| self.shared.most_of_body(headers))
            .await
        {
            Ok((parts, body)) => {
                work.has_come_whole();
                self.answer_admitted(parts, body).await
            }
            Err(refusal) => {
                log_with(LogLevel::Info, || format!("refused a caller: {refusal:?}"));
                if is_from_reader {
                    page::refused(refusal)
                } else {
                    refusal.into_response()
                }
            }
        };
        if let Some(joined) = response.extensions_mut().remove::<Arc<Joined>>() {
            joined.set_pid(by.pid);
            work.join(joined);
        }
        response
    }

    async fn answer_admitted(&self, parts: Parts, body: Bytes) -> Response {
        // Nearly every request is a call, and a call has no need of the router.
        if parts.method == Method::POST && matches!(parts.uri.path(), "/rpc" | "/") {
            let peer = parts.extensions.get().copied().unwrap_or(Peer::OtherUser);
            return self.shared.answer(peer, parts.headers, body).await;
        }
        let request = Request::from_parts(parts, Body::from(body));
        let Ok(response) = self.routes.call(request).await;
        response
    }
}

async fn serve(mut listener: impl Listener, surface: Arc<Surface>) {
    let limit = ConnectionLimit::new();
    let mut stopped = surface.shared.primary.stopped();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.next() => accepted,
            Some(_) = connections.join_next() => continue,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        match accepted {
            Ok((stream, by)) => {
                let slot = limit.take_slot(surface.guard.knows(by.uid));
                connections.spawn(converse(stream, by, Arc::clone(&surface), slot));
            }
            Err(error) if is_the_clients(&error) => {}
            Err(_) => {
                limit.make_room();
                sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    limit.send_all_away();
    let farewell = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(FAREWELL, farewell).await;
}

/// Whether an error of accepting a connection is about that connection only.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    let kinds = [
        ConnectionAborted,
        ConnectionRefused,
        ConnectionReset,
        Interrupted,
    ];
    kinds.contains(&error.kind())
}

/// Answers the requests of one connection.
async fn converse<S>(stream: S, by: Process, surface: Arc<Surface>, slot: Slot)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let activity = Arc::clone(&slot.activity);
    let service = service_fn(|request| {
        let work = activity.begin();
        let surface = Arc::clone(&surface);
        async move {
            let mut response = if surface.is_stopped() {
                // A client of ours finds the next server, and asks that.
                let words = "this server is ending; ask again\n";
                (StatusCode::SERVICE_UNAVAILABLE, words).into_response()
            } else {
                surface.answer(request, by, &work).await
            };
            for (name, value) in CLOSED {
                let value = HeaderValue::from_static(value);
                response.headers_mut().insert(name, value);
            }
            drop(work);
            Ok::<_, Infallible>(response)
        }
    });
    let stream = TokioIo::new(Watched::new(stream, Arc::clone(&activity)));
    let mut http = http1::Builder::new();
    let connection = http
        // Who closes its half after the request still gets the answer.
        .half_close(true)
        .max_header_size(MAX_HEAD)
        .serve_connection(stream, service);
    let mut connection = pin!(connection);
    tokio::select! {
        biased;
        // How a connection ended concerns its client only.
        _ = connection.as_mut() => return,
        () = activity.patience_ends() => return,
        () = activity.sent_away() => {}
    }
    if !surface.is_stopped() {
        // Somebody else needs the place.
        return;
    }
    // At the end, what is being answered is answered, and the rest goes.
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
