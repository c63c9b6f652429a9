//! Which hint, in which order, and why.

pub(crate) mod explain;
pub(crate) mod prompt_block;
pub(crate) mod query;
pub(crate) mod score;
pub(crate) mod select;
