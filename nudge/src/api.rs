//! What can be asked and answered: the words of the wire, each defined once.

pub(crate) mod answer;
pub(crate) mod caller;
pub(crate) mod context_sets;
pub(crate) mod event;
pub(crate) mod import_export;
pub(crate) mod match_explain;
pub(crate) mod merge;
pub(crate) mod payload;
pub(crate) mod place;
pub(crate) mod projects;
pub(crate) mod prompt_block;
pub(crate) mod proposals;
pub(crate) mod reach;
pub(crate) mod reaction;
pub(crate) mod request;
pub(crate) mod runs;
pub(crate) mod selector;
pub(crate) mod set_hint;
