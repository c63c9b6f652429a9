//! The plain words that everything else is said with: names, times, errors, and how they are read.

pub(crate) mod absent;
pub(crate) mod anchor;
pub(crate) mod error;
pub(crate) mod fix;
pub(crate) mod host;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod name;
pub(crate) mod near_miss;
pub(crate) mod number;
pub(crate) mod object;
pub(crate) mod rate_limit;
pub(crate) mod rows;
pub(crate) mod scope;
pub(crate) mod suggest;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod ttl;
