//! The signals that ask for an end.

use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask for a clean end.
pub(crate) struct Signals([Signal; 3]);

impl Signals {
    pub(crate) fn heard() -> io::Result<Signals> {
        Ok(Signals([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    pub(crate) async fn any(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}

/// Waits until nobody reads standard output any more, which no write would tell while
/// nothing happens. It blocks its thread, for good where the reader cannot go.
pub(crate) fn wait_for_end_of_output() {
    let stdout = io::stdout();
    let stream = stdout.as_fd();
    let mut watched = [PollFd::new(&stream, PollFlags::empty())];
    while matches!(poll(&mut watched, None), Err(Errno::INTR)) {}
}
