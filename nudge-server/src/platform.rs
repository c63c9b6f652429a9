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

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use nudge_client::folder::file::{read_named, replace_when};
use nudge_client::platform::{LocalListener, set_file_mode, sync_folder};
use tokio::io::{AsyncRead, AsyncWrite};

pub use system::local;
pub(crate) use system::{detach, group, limits, parent, signals, stdio};

#[cfg(unix)]
pub(crate) use nudge_client::platform::is_portable;
pub(crate) use nudge_client::random;
pub(crate) use nudge_client::sha256;

/// What a client's words come from.
pub(crate) type Input = Box<dyn AsyncRead + Send + Unpin>;
/// Where they are answered.
pub(crate) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Listens on the socket of a session folder, in the runtime.
pub(crate) fn listen(listener: LocalListener) -> io::Result<local::Listener> {
    listener.set_nonblocking(true)?;
    local::Listener::from_std(listener)
}

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

/// Puts a file in the place of another, so that there is always one of them, also after a power
/// cut on a disk that knows how to.
pub(crate) fn replace(
    path: &Path,
    bytes: &[u8],
    mode: u32,
    is_ready: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    replace_when(path, bytes, mode, is_ready)?;
    match sync_folder(path.parent().unwrap_or(path)) {
        Err(error) if error.kind() != ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}

/// The same for a file with a mode.
pub(crate) fn replace_with_mode(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    replace(path, bytes, 0o600, |new| {
        set_file_mode(new, mode)?;
        new.sync_all()
    })
}
