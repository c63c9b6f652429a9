//! Names for calls, by which a server knows one that is made again.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::platform::random::nonce;

/// Gives every call of this process a name that no other call of any process has.
#[derive(Debug)]
pub(super) struct RequestIds {
    prefix: String,
    given: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> RequestIds {
        RequestIds {
            prefix: nonce(),
            given: AtomicU64::new(0),
        }
    }

    pub(super) fn next(&self) -> String {
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number}", self.prefix)
    }
}
