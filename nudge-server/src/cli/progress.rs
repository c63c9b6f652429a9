//! What is said at a terminal while something takes long.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::output::Output;

/// After how long it is said what is being done, and how often after that.
const PATIENCE: Duration = Duration::from_secs(1);

/// One dim line on stderr that says what is being done, and is gone afterwards.
pub(crate) struct Progress(Option<(Sender<String>, JoinHandle<()>)>);

impl Progress {
    /// Begins something. Nothing is said where nobody looks.
    pub(crate) fn of(out: &Output, what: &str) -> Progress {
        if out.json || !stderr().is_terminal() {
            return Progress(None);
        }
        let (words, said) = channel::<String>();
        let mut what = what.to_owned();
        let line = thread::Builder::new().spawn(move || {
            let mut is_shown = false;
            let mut next = Instant::now() + PATIENCE;
            loop {
                let left = next.saturating_duration_since(Instant::now());
                match said.recv_timeout(left) {
                    Ok(words) => what = words,
                    Err(RecvTimeoutError::Timeout) => {
                        // Nobody may be there any more.
                        let _ = write!(stderr(), "\r\u{1b}[K\u{1b}[2m{what}…\u{1b}[0m");
                        is_shown = true;
                        next += PATIENCE / 10;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            if is_shown {
                let _ = write!(stderr(), "\r\u{1b}[K");
            }
        });
        Progress(line.ok().map(|line| (words, line)))
    }

    pub(crate) fn at(&self, words: String) {
        let _ = self.0.as_ref().map(|(line, _)| line.send(words));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((words, line)) = self.0.take() {
            drop(words);
            let _ = line.join();
        }
    }
}
