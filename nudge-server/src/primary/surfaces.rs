//! `Surfaces`: how calls reach this process. They are handed in from above,
//! because every surface uses a session.

use std::pin::Pin;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::platform::local;
use crate::primary::Primary;

/// Work that goes on until nobody is served any more.
pub type Serving<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a process serves calls on.
pub trait Surfaces: Send + Sync {
    /// The store of this process over HTTP, for callers who can show the token.
    fn http(&self, primary: Arc<Primary>, token: Arc<str>) -> Box<dyn Http>;
}

/// A store over HTTP, until its owner is stopped.
pub trait Http: Send + Sync {
    /// Serves on 127.0.0.1.
    fn tcp(&self, listener: TcpListener) -> Serving<()>;

    /// Serves the page on 127.0.0.1.
    fn page(&self, listener: TcpListener) -> Serving<()>;

    /// Serves on the socket of the session folder.
    fn unix(&self, listener: local::Listener) -> Serving<()>;
}
