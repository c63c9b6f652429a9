//! `Backend`: what the two roles differ in, and all they differ in.

use std::sync::Arc;

use crate::primary::Primary;
use crate::proxy::link::Link;

/// Where a call goes: to the store in this process, or to the one that owns it.
#[derive(Clone)]
pub enum Backend {
    /// This process is PRIMARY.
    Local(Arc<Primary>),
    /// Another process is; we forward.
    Remote(Arc<Link>),
}
