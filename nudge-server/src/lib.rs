//! The binary `nudge`: not here yet. This crate holds the place of the server
//! and the CLI; its tests drive the conformance vectors.

#[doc(no_inline)]
pub use nudge::Nudge;
