//! Which hint, in which order, and why.

pub(crate) mod answer;
pub(crate) mod context_sets;
pub(crate) mod listing;
pub(crate) mod prompt_block;
pub(crate) mod prompt_words;
pub(crate) mod query;
pub(crate) mod score;
pub(crate) mod select;
pub(crate) mod words;
