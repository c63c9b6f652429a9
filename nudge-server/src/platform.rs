//! What the operating system is asked for. Only these files and those of the same name in
//! `nudge-client` know one system from another.

pub(crate) mod desktop;
pub mod peer;
pub(crate) mod replace;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use std::path::Path;

use nudge_client::folder::file::read_named;
use sha2::{Digest, Sha256};

pub use system::local;
pub(crate) use system::{detach, group, limits, parent, signals, stdio};

#[cfg(unix)]
pub(crate) use nudge_client::platform::is_portable;
pub(crate) use nudge_client::random;

/// What container engines put into a container.
const IN_CONTAINERS: [&str; 3] = [
    "/.dockerenv",
    "/run/.containerenv",
    "/var/run/secrets/kubernetes.io",
];

/// Whether this is a container, whose paths are those of many others.
pub(crate) fn is_container() -> bool {
    let is_there = |path: &&str| std::fs::symlink_metadata(path).is_ok();
    IN_CONTAINERS.iter().any(is_there)
}

/// What people call this machine, where the system tells; else which system it is.
pub(crate) fn host_name() -> String {
    let name = read_named(Path::new("/proc/sys/kernel/hostname"), 256).ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    name.unwrap_or_else(|| std::env::consts::OS.to_owned())
}

/// The SHA-256 of a text, in hex.
pub(crate) fn sha256(text: &str) -> String {
    let bytes = Sha256::digest(text).into_iter();
    let digits = bytes.flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
