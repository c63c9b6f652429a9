//! Nudge for C: not here yet. This crate holds the place of `libnudge`.

#[doc(no_inline)]
pub use nudge::Nudge;
