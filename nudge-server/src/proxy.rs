//! MCP over stdio as a client of the PRIMARY: its calls, the changes it hears of, and where
//! its agent is. What it shares with the CLI and hooks is in `nudge-client`.

pub mod changes;
pub mod infer;
pub mod session;
mod task;

use std::io;
use std::sync::Arc;

use self::session::Session;
use crate::primary::surfaces::{Serving, Surfaces};

/// What a process serves calls on, a client on its standard input among them: handed in from
/// above, as [`Surfaces`] are.
pub trait Stdio: Surfaces {
    /// A session over standard input and output, until the client has left.
    fn stdio(&self, session: Arc<Session>) -> Serving<io::Result<()>>;
}
