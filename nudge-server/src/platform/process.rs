//! Other processes: whether they live, were stopped, or hold a file.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::process::{Pid, PidfdFlags, Signal, getppid, pidfd_open, pidfd_send_signal};
use tokio::time::sleep;

/// How often the parent is looked at where the kernel does not tell of its end.
const PARENT_LOOK: Duration = Duration::from_secs(1);

/// The process at the other end of a Unix socket, if it is of this user.
pub(crate) fn own_peer(socket: impl AsFd) -> io::Result<Pid> {
    let peer = socket_peercred(socket)?;
    if peer.uid == rustix::process::geteuid() {
        return Ok(peer.pid);
    }
    let words = "the server is of another user";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, words))
}

/// The PRIMARY as a process.
///
/// The descriptor is taken as soon as we are connected and before the PRIMARY has
/// answered anything: that it does answer then shows that the number was its own
/// and no other process's by the time.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) pid: Pid,
    pidfd: Option<OwnedFd>,
}

impl Peer {
    pub(crate) fn new(pid: Pid) -> Peer {
        let pidfd = pidfd_open(pid, PidfdFlags::empty()).ok();
        Peer { pid, pidfd }
    }

    /// Ends the PRIMARY if it was stopped (by a signal or a terminal, not by a
    /// debugger), so that a member that runs can succeed it. One that is merely
    /// slow is left alone.
    pub(crate) fn end_if_stopped(&self) {
        let Some(pidfd) = &self.pidfd else { return };
        // Still the same process after we have read about its number.
        if is_stopped(self.pid) && is_alive(pidfd) {
            let _ = pidfd_send_signal(pidfd, Signal::KILL);
        }
    }
}

/// Whether a process is in the state T.
pub(crate) fn is_stopped(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name of the program is in parentheses and may hold some itself.
    let after_name = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    after_name.is_some_and(|rest| rest.starts_with('T'))
}

fn is_alive(pidfd: &OwnedFd) -> bool {
    let mut ended = [PollFd::new(pidfd, PollFlags::IN)];
    matches!(poll(&mut ended, Some(&Timespec::default())), Ok(0))
}

/// Whether a process holds a lock file of a folder, be it one without a name.
pub(crate) fn holds_lock(pid: u32, folder: &Path) -> bool {
    let lock = folder.join("lock");
    let deleted = format!("{} (deleted)", lock.display());
    let open = fs::read_dir(format!("/proc/{pid}/fd"))
        .into_iter()
        .flatten();
    let links = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    // Its own process holds it too, for as long as it looks.
    pid != std::process::id()
        && links
            .into_iter()
            .any(|link| link == lock || link == Path::new(&deleted))
}

/// Waits for the end of the process that started us. Hosts that die forget to
/// tell, and the pipe may be held open by another of their children.
pub(crate) async fn parent_gone() {
    let Some(parent) = getppid() else {
        // The parent is outside of our container, where we cannot see it end.
        return std::future::pending().await;
    };
    if let Ok(pidfd) = pidfd_open(parent, PidfdFlags::empty()) {
        // It may have ended before we looked, and its number be another's now.
        if getppid() == Some(parent) {
            let _ = tokio::task::spawn_blocking(move || ended(&pidfd)).await;
        }
        return;
    }
    while getppid() == Some(parent) {
        sleep(PARENT_LOOK).await;
    }
}

/// Waits for the end of a process. It blocks its thread.
fn ended(pidfd: &OwnedFd) {
    let mut waited_for = [PollFd::new(pidfd, PollFlags::IN)];
    while matches!(poll(&mut waited_for, None), Err(Errno::INTR)) {}
}
