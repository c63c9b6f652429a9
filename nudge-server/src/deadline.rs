//! Asking somebody who may never answer.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// What comes of it, if it comes in time. What takes longer is left to itself,
/// and ends with this process.
pub(crate) fn within<T: Send + 'static>(
    patience: Duration,
    ask: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, answer) = mpsc::channel();
    let asking = thread::Builder::new().spawn(move || sender.send(ask()));
    asking.ok()?;
    answer.recv_timeout(patience).ok()
}
