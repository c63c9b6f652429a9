//! What the operating system is asked for. Only these files and those of the same name in
//! `nudge-client` know one system from another.

pub(crate) mod desktop;
pub(crate) mod detach;
pub(crate) mod limits;
pub(crate) mod parent;
pub mod peer;
pub(crate) mod stdio;

pub(crate) use nudge_client::{platform::is_portable, random};
