//! What a call and its answer look like on a connection, whoever waits for it.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use nudge::{Error, ErrorKind};
use rustix::net::RecvFlags;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::{Answer, Fault};

/// How long a server may take for anything.
pub(in crate::proxy) const PATIENCE: Duration = Duration::from_secs(10);

/// The longest head of a response.
const MAX_HEAD: usize = 16 * 1024;

/// The longest body of a response, which may be an export.
const MAX_BODY: usize = 2 << 30;

/// A call as a request of HTTP, with the headers that `more` adds.
pub(in crate::proxy) fn request(
    host: &str,
    more: &str,
    id: &str,
    method: &str,
    params: &str,
) -> String {
    let name = serde_json::to_string(method).unwrap_or_default();
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":{name},"params":{params}}}"#);
    format!(
        "POST /rpc HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{more}\
         Nudge-Request-Id: {id}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// What a server said.
#[derive(Debug, Default)]
pub(in crate::proxy) struct Response {
    status: u16,
    /// The header `nudge-env`.
    env_names: Option<String>,
    pub(in crate::proxy) body: Vec<u8>,
    /// Whether the server hangs up after this.
    pub(in crate::proxy) closes: bool,
}

impl Response {
    /// Takes the response that the bytes begin with; `None` while it is not all there.
    pub(in crate::proxy) fn read(bytes: &mut Vec<u8>) -> io::Result<Option<Response>> {
        let Some((mut response, start, length)) = head(bytes)? else {
            if bytes.len() > MAX_HEAD {
                return Err(invalid("the head of the response is too long"));
            }
            return Ok(None);
        };
        let end = start + length;
        if bytes.len() < end {
            return Ok(None);
        }
        // Nothing was asked for that could follow.
        response.closes |= bytes.len() > end;
        bytes.truncate(end);
        bytes.drain(..start);
        response.body = std::mem::take(bytes);
        Ok(Some(response))
    }

    /// What came of the call, and the variables that live scopes mention.
    pub(in crate::proxy) fn answer(self, env: &mut EnvNames) -> Result<Answer, Gone> {
        env.note(self.env_names.unwrap_or_default());
        match self.status {
            200 => answer(&self.body).map_err(Gone),
            status => Ok(Err(refused(status, &self.body))),
        }
    }
}

/// What the head of a response says, where its body starts and how long it is;
/// `None` while it is not all there.
fn head(bytes: &[u8]) -> io::Result<Option<(Response, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let parsed = head
        .parse(bytes)
        .map_err(|_| invalid("this is no response of HTTP"))?;
    let httparse::Status::Complete(start) = parsed else {
        return Ok(None);
    };
    let value = |name: &str| {
        let mut headers = head.headers.iter();
        let header = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
        str::from_utf8(header.value).ok()
    };
    let length = value("content-length").and_then(|length| length.trim().parse().ok());
    let length: usize =
        length.ok_or_else(|| invalid("the response does not say how long it is"))?;
    if length > MAX_BODY {
        return Err(invalid("the answer is longer than 2 GiB; ask for less"));
    }
    let response = Response {
        status: head.code.unwrap_or_default(),
        env_names: value("nudge-env").map(str::to_owned),
        body: Vec::new(),
        closes: value("connection").is_some_and(|word| word.eq_ignore_ascii_case("close")),
    };
    Ok(Some((response, start, length)))
}

/// The result or the error object of a response, unchanged.
fn answer(body: &[u8]) -> io::Result<Answer> {
    #[derive(Deserialize)]
    struct Response {
        result: Option<Box<RawValue>>,
        error: Option<Box<RawValue>>,
    }
    let response: Response = serde_json::from_slice(body)?;
    match (response.result, response.error) {
        (Some(result), None) => Ok(Ok(result)),
        (None, Some(error)) => Ok(Err(Fault::Passed(error))),
        _ => Err(invalid("the response has neither a result nor an error")),
    }
}

/// The fault for a response that is none of JSON-RPC's.
fn refused(status: u16, body: &[u8]) -> Fault {
    let body = String::from_utf8_lossy(body);
    let said = body.lines().next().unwrap_or_default();
    let words = format!("the server refused the call with status {status}: {said}");
    Fault::Core(Error::new(ErrorKind::Unavailable, words))
}

/// Whether the server hung up, or said something unasked, since the last response.
pub(in crate::proxy) fn is_stale(socket: impl AsFd) -> bool {
    let mut byte = [0_u8];
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    let seen = rustix::net::recv(socket, &mut byte[..], flags);
    !matches!(seen, Err(rustix::io::Errno::AGAIN))
}

/// The error for a connection that ended where an answer was due.
pub(in crate::proxy) fn hung_up() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it hung up without an answer")
}

fn invalid(words: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// The variables that live scopes mention, as the header had them and read.
#[derive(Debug, Default)]
pub(in crate::proxy) struct EnvNames {
    header: String,
    pub(in crate::proxy) names: Arc<[String]>,
}

impl EnvNames {
    fn note(&mut self, header: String) {
        if self.header != header {
            self.names = serde_json::from_str(&header).unwrap_or_default();
            self.header = header;
        }
    }
}

/// Why a request got no answer at all.
#[derive(Debug)]
pub(crate) struct Gone(pub(in crate::proxy) io::Error);

impl Gone {
    /// Whether the server went away, so that another one may be asked. One that
    /// is merely slow may still be at it.
    pub(crate) fn left(&self) -> bool {
        use io::ErrorKind::{InvalidData, TimedOut, WouldBlock};
        !matches!(self.0.kind(), InvalidData | TimedOut | WouldBlock)
    }

    /// Whether the server had read the whole request before it went. Had it not,
    /// the kernel would have told us so by a reset.
    pub(crate) fn was_read(&self) -> bool {
        self.0.kind() == io::ErrorKind::UnexpectedEof
    }
}

impl From<Gone> for Fault {
    fn from(gone: Gone) -> Fault {
        let why = &gone.0;
        let words = if gone.left() {
            format!("the server cannot be reached ({why}); start one with `nudge serve`")
        } else if why.kind() == io::ErrorKind::InvalidData {
            format!("the answer of the server cannot be read: {why}")
        } else {
            format!("the server does not answer ({why}); end it with `nudge stop`, or its process")
        };
        Fault::Core(Error::new(ErrorKind::Unavailable, words))
    }
}
