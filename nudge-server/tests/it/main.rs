//! What crosses crates: the vectors, and the payloads that are read forever.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod conformance;
mod exports;
