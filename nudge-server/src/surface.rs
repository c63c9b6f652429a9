//! How a call comes in.

pub mod event_stream;
pub mod guard;
pub mod http;
pub mod mcp;
mod page;
pub mod rpc;

use std::io;
use std::sync::Arc;

use crate::primary::Primary;
use crate::primary::surfaces::{Endpoint, Serving, Surfaces};
use crate::proxy::Stdio;
use crate::proxy::session::Session;

/// Every surface of a server.
#[derive(Debug)]
pub struct All;

impl Surfaces for All {
    fn http(&self, primary: Arc<Primary>, at: Endpoint) -> Serving<()> {
        let mcp = mcp::router(Session::local(Arc::clone(&primary)));
        match at {
            Endpoint::Tcp(at, token) => Box::pin(http::serve_tcp(at, primary, mcp, token)),
            Endpoint::Page(at) => Box::pin(http::serve_page(at, primary)),
            Endpoint::Unix(at) => Box::pin(http::serve_unix(at, primary, mcp)),
        }
    }
}

impl Stdio for All {
    fn stdio(&self, session: Arc<Session>) -> Serving<io::Result<()>> {
        Box::pin(mcp::serve_stdio(session))
    }
}
