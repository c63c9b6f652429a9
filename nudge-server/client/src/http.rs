//! What a call and its answer look like on a connection, whoever waits for it.

use std::io;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::answer::{Answer, Fault};
use crate::identity::PROTOCOL;
use crate::sender::Known;

const MAX_HEAD: usize = 16 * 1024;

/// The longest body of a response, which may be an export.
const MAX_BODY: usize = 2 << 30;

/// A call as a request of HTTP, with the lines of its head, and the id by which it
/// is known when it is made again.
#[must_use]
pub fn request(head: &str, id: Option<&str>, method: &str, params: &str) -> String {
    let name = serde_json::to_string(method).unwrap_or_default();
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":{name},"params":{params}}}"#);
    let id = id.map_or_else(String::new, |id| format!("Nudge-Request-Id: {id}\r\n"));
    format!(
        "POST /rpc HTTP/1.1\r\n{head}Content-Type: application/json\r\n{id}\
         Nudge-Protocol: {PROTOCOL}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// The question whether a server answers at all.
#[must_use]
pub fn health(head: &str) -> String {
    format!("GET /health HTTP/1.1\r\n{head}\r\n")
}

/// What a server said.
#[derive(Debug, Default)]
pub struct Response {
    status: u16,
    /// The header `nudge-notice`.
    notices: Option<String>,
    /// The body.
    pub body: Vec<u8>,
    /// Whether the server hangs up after this.
    pub closes: bool,
}

impl Response {
    /// Takes the response that the bytes begin with; `None` while it is not all there.
    pub fn read(bytes: &mut Vec<u8>) -> io::Result<Option<Response>> {
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

    /// What came of the call; what else was told is noted.
    pub fn answer(self, told: &mut Told) -> Result<Answer, Gone> {
        let notices = self.notices.as_deref();
        let notices = notices.and_then(|it| serde_json::from_str::<Vec<String>>(it).ok());
        told.notices.extend(notices.unwrap_or_default());
        match self.status {
            200 => Ok(answer(&self.body)?),
            412 => {
                let known: Known = serde_json::from_slice(&self.body).map_err(io::Error::from)?;
                told.known = known.into();
                let words = "what is to be known of this place changes all the time; call again";
                Ok(Err(Fault::unavailable(words)))
            }
            // It is ending, and has done nothing.
            503 => Err(io::Error::from(io::ErrorKind::ConnectionAborted).into()),
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
        .map_err(|_| invalid("this is not an HTTP response"))?;
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
        notices: value("nudge-notice").map(str::to_owned),
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
    Fault::unavailable(words)
}

/// The error for a connection that ended where an answer was due.
#[must_use]
pub fn hung_up() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it hung up without an answer")
}

fn invalid(words: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// Whether a stream has said nothing for a while.
pub(crate) fn is_silence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
    )
}

/// What a server tells beside its answers.
#[derive(Debug, Default)]
pub struct Told {
    /// What the user is to know.
    pub(crate) notices: Vec<String>,
    /// What params that say where the caller is follow from.
    pub(crate) known: Arc<Known>,
}

/// What is said where the system lets nobody connect.
pub const FORBIDDEN: &str = "this shell may not connect to the server, as in an agent's sandbox; \
                             use the `nudge_…` tools instead, or type it outside the sandbox";

/// Whether the system itself forbids a connection to our own socket, as a sandbox has it do.
#[must_use]
pub fn is_forbidden(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_some()
}

/// Why a request got no answer at all.
#[derive(Debug)]
pub struct Gone {
    pub(crate) error: io::Error,
    /// The process that did not answer, where it is known.
    pub(crate) peer: Option<u32>,
}

impl Gone {
    /// Whether the server went away, so that another one may be asked. One that
    /// is merely slow may still be at it.
    #[must_use]
    pub fn left(&self) -> bool {
        use io::ErrorKind::{InvalidData, PermissionDenied};
        !matches!(self.error.kind(), InvalidData | PermissionDenied) && !is_silence(&self.error)
    }

    /// Whether the server had read the whole request before it went. Had it not,
    /// the kernel would have told us so by a reset.
    #[must_use]
    pub fn was_read(&self) -> bool {
        self.error.kind() == io::ErrorKind::UnexpectedEof
    }
}

impl From<io::Error> for Gone {
    fn from(error: io::Error) -> Gone {
        Gone { error, peer: None }
    }
}

impl From<Gone> for Fault {
    fn from(gone: Gone) -> Fault {
        let why = &gone.error;
        let words = if gone.left() {
            format!("the server cannot be reached ({why}); run `nudge doctor` to see why")
        } else if is_silence(why) {
            let process = gone
                .peer
                .map_or_else(String::new, |pid| format!(", process {pid},"));
            format!("the server{process} does not answer; end it with `nudge stop --force`")
        } else if is_forbidden(why) {
            FORBIDDEN.to_owned()
        } else {
            format!("the answer of the server cannot be read: {why}")
        };
        Fault::unavailable(words)
    }
}
