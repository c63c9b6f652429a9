//! How a call comes in.

pub mod event_stream;
pub mod guard;
pub mod http;
mod mask;
pub mod mcp;
mod page;
pub mod rpc;
