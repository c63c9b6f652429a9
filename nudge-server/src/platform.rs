//! What the operating system is asked for. Only these files and those of the same name in
//! `nudge-client` know one system from another.

pub(crate) mod desktop;
pub mod peer;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use system::local;
pub(crate) use system::{detach, group, limits, parent, signals, stdio};

pub(crate) use nudge_client::{platform::is_portable, random};
