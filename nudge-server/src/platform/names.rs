//! `Names`: tells when something in the runtime folder may have lost its name.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
use tokio::io::unix::AsyncFd;
use tokio::time::sleep;

/// How often one looks where the kernel tells nothing: it has a limit for those
/// who listen.
const LOOK: Duration = Duration::from_millis(500);

/// What the kernel tells of the runtime folder.
///
/// There is one for life: to close a watch takes the kernel 16 ms, in which this
/// process does nothing else.
pub(crate) struct Names {
    inotify: Option<AsyncFd<OwnedFd>>,
    is_listening: bool,
}

impl Names {
    pub(crate) fn of(folder: &Path) -> Names {
        let mut names = Names {
            inotify: inotify().ok(),
            is_listening: false,
        };
        names.listen(folder);
        names
    }

    /// Listens to the folder that has the name now.
    pub(crate) fn listen(&mut self, folder: &Path) {
        let events = WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVE_SELF
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::ONLYDIR;
        let inotify = self.inotify.as_ref();
        self.is_listening =
            inotify.is_some_and(|inotify| add_watch(inotify, folder, events).is_ok());
    }

    /// Waits until a name may have been lost. One that another process had
    /// taken for a moment counts when it lets go.
    pub(crate) async fn lost(&mut self) {
        let Some(inotify) = self.inotify.as_ref().filter(|_| self.is_listening) else {
            return sleep(LOOK).await;
        };
        match inotify.readable().await {
            Ok(mut ready) => {
                drain(inotify.get_ref());
                ready.clear_ready();
            }
            Err(_) => sleep(LOOK).await,
        }
    }
}

#[expect(
    deprecated,
    reason = "what takes its place asks for a promise about descriptors that others may close; this one has its own"
)]
fn inotify() -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::new(init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?)
}

/// Reads all that was told; what it was is seen by looking at the folder.
fn drain(inotify: &OwnedFd) {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = Reader::new(inotify, &mut buffer);
    while reader.next().is_ok() {}
}
