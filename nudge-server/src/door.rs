//! How a call comes in.

pub mod event_stream;
pub mod guard;
pub mod http;
pub mod mcp;
pub mod peer;
pub mod rpc;
