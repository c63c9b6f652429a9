//! The process that started this one.

use std::time::Duration;

use rustix::process::getppid;
use tokio::time::sleep;

/// How often the parent is looked at where the kernel does not tell of its end.
const LOOK: Duration = Duration::from_secs(1);

/// Waits for the end of the process that started us. Hosts that die forget to
/// tell, and the pipe may be held open by another of their children.
pub(crate) async fn parent_gone() {
    let Some(parent) = getppid() else {
        // The parent is outside of our container, where we cannot see it end.
        return std::future::pending().await;
    };
    #[cfg(target_os = "linux")]
    if !crate::platform::is_portable()
        && let Ok(pidfd) = rustix::process::pidfd_open(parent, rustix::process::PidfdFlags::empty())
    {
        // It may have ended before we looked, and its number be another's now.
        if getppid() == Some(parent) {
            let _ = tokio::task::spawn_blocking(move || ended(&pidfd)).await;
        }
        return;
    }
    while getppid() == Some(parent) {
        sleep(LOOK).await;
    }
}

/// Waits for the end of a process. It blocks its thread.
#[cfg(target_os = "linux")]
fn ended(pidfd: &std::os::fd::OwnedFd) {
    use rustix::event::{PollFd, PollFlags, poll};
    let mut waited_for = [PollFd::new(pidfd, PollFlags::IN)];
    while matches!(poll(&mut waited_for, None), Err(rustix::io::Errno::INTR)) {}
}
