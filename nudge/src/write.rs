//! Writes, from the request to the change.

mod carry;
pub(crate) mod context_sets;
pub(crate) mod extras;
pub(crate) mod import;
pub(crate) mod plan;
mod project;
pub(crate) mod proposal;
mod rename;
pub(crate) mod seed;
pub(crate) mod set;
pub(crate) mod sink;
pub(crate) mod stamping;
pub(crate) mod trust;
pub(crate) mod undo;
pub(crate) mod validate;
