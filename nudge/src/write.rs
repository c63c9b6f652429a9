//! Writes, from the request to the change.

pub(crate) mod context_sets;
pub(crate) mod import;
pub(crate) mod plan;
pub(crate) mod proposal;
pub(crate) mod replay;
pub(crate) mod seed;
pub(crate) mod snapshot;
pub(crate) mod transaction;
pub(crate) mod validate;
