//! `Stdio`: how a client talks to a process that it started. It is handed in from above, as
//! [`Surfaces`] are.

use std::io;
use std::sync::Arc;

use crate::primary::surfaces::{Serving, Surfaces};
use crate::proxy::session::Session;

/// What a process serves calls on, a client on its standard input among them.
pub trait Stdio: Surfaces {
    /// A session over standard input and output, until the client has left.
    fn stdio(&self, session: Arc<Session>) -> Serving<io::Result<()>>;
}
