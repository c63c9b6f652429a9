//! Who owns the store, and how the processes of a machine share it.

pub mod backend;
pub mod changes;
pub mod client;
pub mod events;
pub mod infer;
pub mod journal;
pub mod link;
pub mod log;
pub mod member;
pub(crate) mod origin;
pub mod primary;
mod recorder;
pub(crate) mod request_id;
pub mod role;
pub mod runtime;
pub mod sweep;
