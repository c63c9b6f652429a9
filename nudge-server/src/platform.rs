//! What an operating system has to be asked for: who is at the other end of a
//! connection, the runtime folder, and the life of other processes.

pub(crate) mod detach;
pub(crate) mod limits;
pub(crate) mod names;
pub mod peer;
pub(crate) mod process;
pub(crate) mod random;
pub mod runtime;
#[cfg(unix)]
pub(crate) mod stdio;
