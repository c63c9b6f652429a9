//! The transport of a connection: one message a line.
//!
//! rmcp has one of its own, which keeps silent about a line that it cannot read.
//! A request that nests too deep is such a line, and its caller would wait for
//! an answer for good.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetExtensions, GetMeta, JsonRpcMessage,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use rmcp::{RoleServer, service};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, watch};

use super::duplicate_keys::DuplicateKey;
use crate::surface::rpc::present;

/// The longest line that is read; the rest of a longer one is passed over.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Lines of JSON, from an input and to an output.
pub(super) struct LineTransport<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<W>>,
    /// The part of the next line that has come. It is kept here because waiting
    /// for the rest is given up whenever there is something to send.
    line: Vec<u8>,
    is_too_long: bool,
    /// Whether the client has begun a conversation.
    is_open: bool,
    /// Held for as long as there is input.
    held: Option<watch::Sender<()>>,
}

impl<R: AsyncRead + Unpin, W> LineTransport<R, W> {
    /// Reads and writes lines; `held` is let go of when the input has ended.
    pub(super) fn new(input: R, output: W, held: watch::Sender<()>) -> LineTransport<R, W> {
        LineTransport {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            is_too_long: false,
            is_open: false,
            held: Some(held),
        }
    }

    /// Completes the next line; false when there is none.
    async fn next_line(&mut self) -> bool {
        loop {
            let Ok(available) = self.input.fill_buf().await else {
                return false;
            };
            if available.is_empty() {
                return false;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.line.len() + taken > LONGEST_LINE {
                self.is_too_long = true;
            }
            if self.is_too_long {
                self.line.clear();
            } else {
                self.line.extend(available.iter().take(taken));
            }
            self.input.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }

    /// Reads the line that is complete, and forgets it.
    fn read(&mut self) -> Read {
        if std::mem::take(&mut self.is_too_long) {
            let words = format!("a message has {LONGEST_LINE} bytes at most");
            return Read::Unreadable(ErrorData::invalid_request(words, None), None);
        }
        let line = self
            .line
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(&self.line);
        let read = read(line.trim_ascii());
        self.line.clear();
        match &read {
            Read::Message(message) if !self.is_open => {
                self.is_open = begins(message);
                // A notification before that concerns nothing; rmcp would end
                // the connection for it.
                if !matches!(**message, JsonRpcMessage::Request(_)) {
                    return Read::Nothing;
                }
            }
            _ => {}
        }
        read
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
        message: service::TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(&output, &message).await }
    }

    async fn receive(&mut self) -> Option<service::RxJsonRpcMessage<RoleServer>> {
        while self.next_line().await {
            match self.read() {
                Read::Message(message) => return Some(*message),
                Read::Nothing => {}
                Read::Unreadable(error, id) => {
                    let answer = ServerJsonRpcMessage::error(error, id);
                    write(&self.output, &answer).await.ok()?;
                }
            }
        }
        self.held = None;
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.flush().await
    }
}

async fn write<W: AsyncWrite + Unpin>(
    output: &Mutex<W>,
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

enum Read {
    Message(Box<ClientJsonRpcMessage>),
    Nothing,
    Unreadable(ErrorData, Option<RequestId>),
}

/// Reads a line, and notes on a request what it gives twice.
fn read(line: &[u8]) -> Read {
    if line.is_empty() {
        return Read::Nothing;
    }
    match serde_json::from_slice::<ClientJsonRpcMessage>(line) {
        Ok(mut message) => {
            if let ClientJsonRpcMessage::Request(request) = &mut message
                && let Some(duplicate) = DuplicateKey::find(line)
            {
                request.request.extensions_mut().insert(duplicate);
            }
            Read::Message(Box::new(message))
        }
        Err(error) => unreadable(line, &error),
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

fn unreadable(line: &[u8], error: &serde_json::Error) -> Read {
    let no_message = || ErrorData::invalid_request("this is not a JSON-RPC message", None);
    // Raw values are passed over without descending into them, so this reads
    // what is too deep as well.
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(line) else {
        let is_json = serde_json::from_slice::<&RawValue>(line).is_ok();
        let no_json = || ErrorData::parse_error(format!("this is not JSON: {error}"), None);
        let why = if is_json { no_message() } else { no_json() };
        return Read::Unreadable(why, None);
    };
    let id = envelope
        .id
        .and_then(|id| serde_json::from_str::<RequestId>(id.get()).ok());
    match (envelope.method, id) {
        // A notification is not answered, whatever is wrong with it.
        (Some(_), None) if envelope.id.is_none() => Read::Nothing,
        (Some(method), Some(id)) => {
            let words = format!("the params of `{method}` cannot be read: {error}");
            Read::Unreadable(ErrorData::invalid_params(words, None), Some(id))
        }
        (_, id) => Read::Unreadable(no_message(), id),
    }
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
