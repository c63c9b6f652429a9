//! `Backend`: what the two roles differ in, and all they differ in.

use std::sync::Arc;

use crate::door::rpc::{self, Answer};
use crate::session::client::Client;
use crate::session::primary::Primary;

/// Where a call goes: to the store in this process, or to the one that owns it.
#[derive(Clone)]
pub enum Backend {
    /// This process is PRIMARY.
    Local(Arc<Primary>),
    /// Another process is; we forward.
    Remote(Arc<Client>),
}

impl Backend {
    /// Calls a method by its name on the wire, such as `nudge.get_hint`.
    ///
    /// The store is quick and never waits for anything but its own lock, so it
    /// is called where we are; what goes over a socket is waited for elsewhere.
    pub async fn call(&self, method: &str, params: &str) -> Answer {
        match self {
            Backend::Local(primary) => rpc::call(primary, method, params),
            Backend::Remote(client) => Arc::clone(client).call(method, params).await,
        }
    }
}
