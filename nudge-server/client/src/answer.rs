//! What a call gives back, and why there may be nothing.

use nudge::{Error, ErrorKind};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// What a call gives back: the result, or why there is none.
pub type Answer = Result<Box<RawValue>, Fault>;

/// Why a call has no result.
#[derive(Debug)]
pub enum Fault {
    /// The library's own error.
    Core(Error),
    /// An error object of another process, passed on as it is.
    Passed(Box<RawValue>),
    /// The text is not JSON (−32700).
    Parse(String),
    /// The JSON is no request (−32600).
    Request(String),
    /// There is no such method (−32601).
    Method(String),
    /// The params are no object (−32602).
    Params,
}

impl Fault {
    /// The fault for a server that cannot be asked, in words that say what to do.
    #[must_use]
    pub fn unavailable(words: impl Into<String>) -> Fault {
        Fault::Core(Error::new(ErrorKind::Unavailable, words.into()))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Core(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::from(&fault)
    }
}

impl From<&Fault> for Error {
    fn from(fault: &Fault) -> Error {
        if let Fault::Core(error) = fault {
            return error.clone();
        }
        let json = serde_json::to_string(fault).unwrap_or_default();
        serde_json::from_str(&json).unwrap_or_else(|_| Error::new(ErrorKind::Internal, json))
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (code, message) = match self {
            Fault::Core(error) => return error.serialize(serializer),
            Fault::Passed(error) => return error.serialize(serializer),
            Fault::Parse(message) => (-32700, message.clone()),
            Fault::Request(message) => (-32600, message.clone()),
            Fault::Method(message) => (-32601, message.clone()),
            Fault::Params => (
                -32602,
                "the params are not an object; give them by name".to_owned(),
            ),
        };
        let mut object = serializer.serialize_map(Some(2))?;
        object.serialize_entry("code", &code)?;
        object.serialize_entry("message", &message)?;
        object.end()
    }
}
