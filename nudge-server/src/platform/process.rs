//! The process at the other end of a link, and what is done when it was stopped.

use std::fs;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

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
