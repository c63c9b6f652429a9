//! What can be asked and answered: the words of the wire, each defined once.

pub(crate) mod answer;
pub(crate) mod import_export;
pub(crate) mod request;
pub(crate) mod selector;
pub(crate) mod set_hint;
