//! JSON-RPC 2.0: requests, notifications and batches of them, and the responses.

use std::borrow::Cow;
use std::fmt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::wire::Fault;

/// The most calls in a batch.
const MAX_BATCH: usize = 100;

/// What most responses fit in.
const USUAL: usize = 1024;

/// What was sent: a request, a notification, or a batch of them.
pub struct Sent<'a> {
    text: &'a str,
    /// What it holds, unless it is a batch.
    one: Option<Result<Request<'a>, Fault>>,
}

impl<'a> Sent<'a> {
    /// Reads what was sent, as far as it can be without looking into params.
    #[must_use]
    pub fn read(body: &'a [u8]) -> Sent<'a> {
        match std::str::from_utf8(body) {
            Ok(text) => {
                let text = text.trim_matches([' ', '\t', '\r', '\n']);
                let one = (!text.starts_with('[')).then(|| Request::read(text));
                Sent { text, one }
            }
            Err(error) => Sent {
                text: "",
                one: Some(Err(no_json(&error))),
            },
        }
    }

    /// The method that is called, if it is a single one.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        let one = self.one.as_ref()?.as_ref();
        one.ok().map(|request| &*request.method)
    }

    /// The response; `None` when nothing is to be said. What calls are made is up to `call`,
    /// which gets the name of the method and the text of its params, and appends the result to
    /// the bytes that it gets, or fails. What it appended before it failed is taken back.
    pub fn answer(
        self,
        mut call: impl FnMut(&str, &str, &mut Vec<u8>) -> Result<(), Fault>,
    ) -> Option<Vec<u8>> {
        let mut response = Vec::with_capacity(USUAL);
        let said = match self.one {
            Some(request) => one(self.text, request, &mut call, &mut response),
            None => several(self.text, &mut call, &mut response),
        };
        said.then_some(response)
    }
}

/// Answers a batch, and says whether there is anything to be said.
fn several(
    text: &str,
    call: &mut impl FnMut(&str, &str, &mut Vec<u8>) -> Result<(), Fault>,
    response: &mut Vec<u8>,
) -> bool {
    let batch: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(batch) => batch,
        Err(error) => return refuse(None, &no_json(&error), response),
    };
    let count = batch.len();
    if count == 0 || count > MAX_BATCH {
        let words =
            format!("a batch has 1 to {MAX_BATCH} requests, this one has {count}; send several");
        return refuse(None, &Fault::Request(words), response);
    }
    response.push(b'[');
    for text in batch {
        let text = text.get();
        if one(text, Request::read(text), call, response) {
            response.push(b',');
        }
    }
    // The last comma, if there is one, makes way for the end.
    let said = response.pop() == Some(b',');
    response.push(b']');
    said
}

/// Answers one request, and says whether there is anything to be said.
fn one(
    text: &str,
    request: Result<Request<'_>, Fault>,
    call: &mut impl FnMut(&str, &str, &mut Vec<u8>) -> Result<(), Fault>,
    response: &mut Vec<u8>,
) -> bool {
    let request = match request {
        Ok(request) => request,
        Err(fault) => return refuse(id_of(text), &fault, response),
    };
    // The result is written where it is sent from: it is the longest part.
    let start = response.len();
    response.extend_from_slice(br#"{"jsonrpc":"2.0","result":"#);
    let params = request.params.map_or("{}", RawValue::get);
    let answer = call(&request.method, params, response);
    match (request.id, answer) {
        // A notification gets no answer, whatever became of it.
        (None, _) => {
            response.truncate(start);
            false
        }
        (Some(id), Ok(())) => {
            response.extend_from_slice(br#","id":"#);
            response.extend_from_slice(id.get().as_bytes());
            response.push(b'}');
            true
        }
        (Some(id), Err(fault)) => {
            response.truncate(start);
            refuse(Some(id), &fault, response)
        }
    }
}

/// One request, as far as it can be read without looking into its params.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
}

impl Request<'_> {
    fn read(text: &str) -> Result<Request<'_>, Fault> {
        // serde would also take a list of the fields in their order.
        let request = if text.starts_with('{') {
            serde_json::from_str(text)
        } else {
            Err(serde::de::Error::custom("it is not an object"))
        };
        let request: Request<'_> = request.map_err(|error: serde_json::Error| {
            // Asked for only now: to serde a number that stands where a word is
            // due is a fault like any other.
            match serde_json::from_str::<IgnoredAny>(text) {
                Err(error) => no_json(&error),
                Ok(_) => no_request(&error.to_string()),
            }
        })?;
        if request.jsonrpc != "2.0" {
            return Err(no_request("`jsonrpc` is not \"2.0\""));
        }
        if !request.id.is_none_or(is_id) {
            return Err(no_request("an id is a string, a number or null"));
        }
        let params = request.params.map_or("{", RawValue::get);
        if !params.starts_with(['{', '[']) {
            return Err(no_request("`params` is not an object"));
        }
        Ok(request)
    }
}

/// The id of what is no request, where it can be told: whoever sent it waits
/// for that one.
fn id_of(text: &str) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Sent<'a> {
        #[serde(borrow, default, deserialize_with = "present")]
        id: Option<&'a RawValue>,
    }

    let sent = text.starts_with('{').then(|| serde_json::from_str(text));
    let sent: Sent<'_> = sent?.ok()?;
    sent.id.filter(|id| is_id(id))
}

/// An id that is there, be it `null`.
pub(super) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn is_id(json: &RawValue) -> bool {
    !json.get().starts_with(['{', '[', 't', 'f'])
}

fn no_json(error: &impl fmt::Display) -> Fault {
    Fault::Parse(format!("this is not JSON: {error}"))
}

fn no_request(why: &str) -> Fault {
    // serde_json ends its words with where in the text it stopped.
    let end = why.rfind(" at line ").unwrap_or(why.len());
    let why = why.get(..end).unwrap_or(why);
    Fault::Request(format!("this is not a JSON-RPC request: {why}"))
}

/// Says why there is no result, which is always something to be said.
fn refuse(id: Option<&RawValue>, fault: &Fault, response: &mut Vec<u8>) -> bool {
    #[derive(Serialize)]
    struct Refused<'a> {
        jsonrpc: &'static str,
        error: &'a Fault,
        id: Option<&'a RawValue>,
    }

    let refused = Refused {
        jsonrpc: "2.0",
        error: fault,
        id,
    };
    serde_json::to_writer(response, &refused).is_ok()
}
