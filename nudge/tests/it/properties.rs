//! What is always true, whatever is stored and whoever asks.

mod besides;
mod guard;
mod journal;
mod merges;
mod noise;
mod paths;
mod ranks;
mod scopes;
mod search;
mod secrecy;
mod stage;
mod stories;
mod trust;

use proptest::prelude::ProptestConfig;

/// So many cases, or as many as `PROPTEST_CASES` says, and no file that remembers
/// the ones that failed.
#[expect(
    clippy::disallowed_methods,
    reason = "who runs the tests may choose how long they look"
)]
fn cases(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES");
    let asked = asked.ok().map(|asked| asked.parse().unwrap());
    ProptestConfig {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
