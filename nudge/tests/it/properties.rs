//! What is always true, whatever is stored and whoever asks.

#![expect(
    clippy::unwrap_used,
    reason = "what fails in a property fails its test"
)]

mod besides;
mod journal;
mod noise;
mod paths;
mod ranks;
mod scopes;
mod search;
mod secrecy;
mod stage;
mod stories;

use proptest::prelude::ProptestConfig;

/// So many cases, and no file that remembers the ones that failed.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
