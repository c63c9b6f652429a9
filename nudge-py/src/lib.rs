//! Nudge for Python: not here yet. This crate holds the place of the module.

#[doc(no_inline)]
pub use nudge::Nudge;
