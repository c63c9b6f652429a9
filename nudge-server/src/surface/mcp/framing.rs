//! The transport of a connection: one message a line.
//!
//! rmcp writes them, but what it reads itself keeps silent about a line that it cannot read.
//! A request that nests too deep is such a line, and its caller would wait for
//! an answer for good.

use std::borrow::Cow;
use std::io;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, BufReader, Empty, empty};
use tokio::sync::watch;

use crate::surface::rpc::present;

/// The longest line that is read: the input ends with a longer one.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Lines of JSON, from an input and to an output.
pub(super) struct LineTransport<R, W: AsyncWrite> {
    input: BufReader<R>,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// The part of the next line that has come. It is kept here because waiting
    /// for the rest is given up whenever there is something to send.
    line: Vec<u8>,
    /// Whether the client has begun a conversation.
    is_open: bool,
    /// Held for as long as there is input.
    held: Option<watch::Sender<()>>,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Reads and writes lines; `held` is let go of when the input has ended.
    pub(super) fn new(input: R, output: W, held: watch::Sender<()>) -> LineTransport<R, W> {
        LineTransport {
            input: BufReader::new(input),
            output: AsyncRwTransport::new(empty(), output),
            line: Vec::new(),
            is_open: false,
            held: Some(held),
        }
    }

    /// Completes the next line; false when there is none.
    async fn next_line(&mut self) -> bool {
        let room = LONGEST_LINE.saturating_sub(self.line.len());
        let mut input = (&mut self.input).take(room as u64);
        let read = input.read_until(b'\n', &mut self.line).await;
        read.is_ok() && self.line.ends_with(b"\n")
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.output.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        while self.next_line().await {
            let line = std::mem::take(&mut self.line);
            let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line);
            match serde_json::from_slice(line) {
                Ok(message) => {
                    self.is_open |= begins(&message);
                    // A notification before that concerns nothing; rmcp would end
                    // the connection for it.
                    if self.is_open || matches!(message, JsonRpcMessage::Request(_)) {
                        return Some(message);
                    }
                }
                Err(error) => {
                    if let Some(answer) = refusal(line.trim_ascii(), &error) {
                        self.output.send(answer).await.ok()?;
                    }
                }
            }
        }
        self.held = None;
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.close().await
    }
}

/// Whether a message begins a conversation. Until one has, rmcp takes nothing
/// but requests: a client may look around first, by `server/discover` or a ping.
fn begins(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else {
        return false;
    };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other.get_meta().protocol_version().is_some(),
    }
}

/// A message, as far as it can be read without its params.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
}

/// What is answered to a line that cannot be read; an empty one and a notification are not
/// answered, whatever is wrong with them.
fn refusal(line: &[u8], error: &serde_json::Error) -> Option<ServerJsonRpcMessage> {
    let no_message = || ErrorData::invalid_request("this is not a JSON-RPC message", None);
    // Raw values are passed over without descending into them, so this reads
    // what is too deep as well.
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(line) else {
        let is_json = serde_json::from_slice::<&RawValue>(line).is_ok();
        let no_json = || ErrorData::parse_error(format!("this is not JSON: {error}"), None);
        let why = if is_json { no_message() } else { no_json() };
        return (!line.is_empty()).then(|| ServerJsonRpcMessage::error(why, None));
    };
    let raw = envelope.id.map(RawValue::get);
    let id = raw.and_then(|id| serde_json::from_str::<RequestId>(id).ok());
    let why = match envelope.method {
        Some(_) if raw.is_none() => return None,
        Some(method) if id.is_some() => {
            let words = format!("the params of `{method}` cannot be read: {error}");
            ErrorData::invalid_params(words, None)
        }
        _ => no_message(),
    };
    Some(ServerJsonRpcMessage::error(why, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_around_begins_nothing() {
        let begins = |method: &str, params: &str| {
            let line =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            begins(&serde_json::from_str(&line).unwrap())
        };
        let meta = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
        assert!(!begins("server/discover", meta));
        assert!(!begins("ping", "{}"));
        assert!(!begins("tools/list", "{}"));
        assert!(begins("tools/list", meta));
        let opening = r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
        assert!(begins("initialize", opening));
    }
}
