//! What a server says of itself: on stderr, and nothing unless it matters.

use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::config::LogLevel;

/// The least important level that is still said.
static SAID: AtomicU8 = AtomicU8::new(LogLevel::Warn as u8);

/// Says nothing that matters less than a level from now on.
pub fn limit(level: LogLevel) {
    SAID.store(level as u8, Ordering::Relaxed);
}

/// Writes the line that `words` makes to stderr, if its level is said.
pub fn log_with(level: LogLevel, words: impl FnOnce() -> String) {
    if level as u8 <= SAID.load(Ordering::Relaxed) {
        log(level, &words());
    }
}

/// Writes a line to stderr, if its level is said.
pub fn log(level: LogLevel, words: &str) {
    if level as u8 <= SAID.load(Ordering::Relaxed) {
        // Nobody is left to be told that stderr is closed.
        let _ = writeln!(std::io::stderr(), "nudge: {words}");
    }
}
