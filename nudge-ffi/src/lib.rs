//! Nudge for C: `libnudge` and `include/nudge.h`.
//!
//! Every function converts, calls the store and converts back, and does nothing
//! else. JSON goes in and JSON comes out, as every other surface has it. NULL is
//! a value everywhere, a panic ends here as an error, and the header, which is
//! made from these files in their order, is the manual.

pub mod version;

pub mod store;

pub mod context;

pub mod operations;

pub mod error;

mod call;
mod fork;
#[cfg(test)]
mod noise;
