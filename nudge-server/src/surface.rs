//! How a call comes in.

pub mod event_stream;
pub mod guard;
pub mod http;
pub mod mcp;
mod page;
pub mod rpc;

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::platform::local;
use crate::primary::Primary;
use crate::primary::surfaces::{Http, Serving, Surfaces};
use crate::proxy::session::Session;
use crate::proxy::stdio::Stdio;

/// Every surface of a server.
#[derive(Debug)]
pub struct All;

impl Surfaces for All {
    fn http(&self, primary: Arc<Primary>, token: Arc<str>) -> Box<dyn Http> {
        let mcp = mcp::router(Session::local(Arc::clone(&primary)));
        Box::new(Served {
            primary,
            mcp,
            token,
        })
    }
}

impl Stdio for All {
    fn stdio(&self, session: Arc<Session>) -> Serving<io::Result<()>> {
        Box::pin(mcp::serve_stdio(session))
    }
}

/// A store, and what its listeners share.
struct Served {
    primary: Arc<Primary>,
    mcp: axum::Router,
    token: Arc<str>,
}

impl Http for Served {
    fn tcp(&self, listener: TcpListener) -> Serving<()> {
        let (primary, token) = (Arc::clone(&self.primary), Arc::clone(&self.token));
        Box::pin(http::serve_tcp(listener, primary, self.mcp.clone(), token))
    }

    fn page(&self, listener: TcpListener) -> Serving<()> {
        Box::pin(http::serve_page(listener, Arc::clone(&self.primary)))
    }

    fn unix(&self, listener: local::Listener) -> Serving<()> {
        let primary = Arc::clone(&self.primary);
        Box::pin(http::serve_unix(listener, primary, self.mcp.clone()))
    }
}
