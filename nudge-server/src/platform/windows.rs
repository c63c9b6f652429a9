//! Ports instead of sockets with a name, handles instead of descriptors.

pub(crate) mod detach;
pub(crate) mod group;
pub(crate) mod limits;
pub mod local;
pub(crate) mod parent;
pub(crate) mod signals;
pub(crate) mod stdio;
