//! `Surfaces`: how calls reach this process. They are handed in from above,
//! because every surface uses a session.

use std::pin::Pin;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::platform::local;
use crate::primary::Primary;

/// Work that goes on until nobody is served any more.
pub type Serving<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where a store is served.
pub enum Endpoint {
    /// On 127.0.0.1, for callers who can show the token.
    Tcp(TcpListener, Arc<str>),
    /// On 127.0.0.1, for the page.
    Page(TcpListener),
    /// On the socket of the session folder.
    Unix(local::Listener),
}

/// What a process serves calls on.
pub trait Surfaces: Send + Sync {
    /// The store of this process over HTTP, until its owner is stopped.
    fn http(&self, primary: Arc<Primary>, at: Endpoint) -> Serving<()>;
}
