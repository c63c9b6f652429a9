//! Sockets with a name, process groups and signals.

pub(crate) mod detach;
pub(crate) mod group;
pub(crate) mod limits;
pub mod local;
pub(crate) mod parent;
pub(crate) mod signals;
pub(crate) mod stdio;
