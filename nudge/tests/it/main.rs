//! The library through its public face: what is always true, said, shared and kept.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod boundaries;
mod budgets;
mod carried;
mod concurrency;
mod corpus;
mod cost;
mod here;
mod layers;
mod learn;
mod missing;
mod model;
mod operations;
mod origin;
mod projects;
mod promises;
mod prompt_block;
mod properties;
mod reach;
mod roots;
mod stored;
mod tidy;
