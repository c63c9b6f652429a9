//! The plain words that everything else is said with: names, times, errors, and how they are read.

pub(crate) mod error;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod name;
pub(crate) mod object;
pub(crate) mod time;
pub(crate) mod ttl;
