//! Fields that a message gives twice.
//!
//! rmcp reads such a message and keeps the last of the two. What was meant is
//! unknown, so a call is refused, in the words in which JSON-RPC refuses it.

use std::borrow::Cow;
use std::fmt;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::surface::guard::MAX_BODY;
use crate::wire::Fault;

/// The names that lead to a field that is given twice, its own last. It goes
/// along with the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DuplicateKey(Vec<String>);

impl DuplicateKey {
    /// Looks for the first such field of a message; what is no JSON has none.
    pub(super) fn find(message: &[u8]) -> Option<DuplicateKey> {
        let mut path = Vec::new();
        let mut reader = serde_json::Deserializer::from_slice(message);
        let read = Walk(&mut path).deserialize(&mut reader);
        path.reverse();
        (read.is_err() && !path.is_empty()).then_some(DuplicateKey(path))
    }

    /// The one that came along with a request, over whichever transport.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Option<&DuplicateKey> {
        let head = || context.extensions.get::<Parts>();
        let own = context.extensions.get::<DuplicateKey>();
        own.or_else(|| head()?.extensions.get())
    }

    /// The refusal, which names the field as the caller of a method or a tool does.
    pub(super) fn fault(&self) -> Fault {
        let Some((name, mut parents)) = self.0.split_last() else {
            return Fault::Params;
        };
        for envelope in ["params", "arguments"] {
            parents = match parents {
                [first, rest @ ..] if first == envelope => rest,
                _ => parents,
            };
        }
        let path = parents.join(".").replace(".[", "[");
        let error = nudge::invalid_field(&path, &format!("duplicate field `{name}`"));
        Fault::Core(error)
    }
}

/// Notes on a request of HTTP what its body gives twice.
pub(super) async fn note(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    // Who is to be refused for the size of a body was refused by the guard.
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    if let Some(duplicate) = DuplicateKey::find(&body) {
        parts.extensions.insert(duplicate);
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}

/// Reads any value and keeps nothing of it, until a name comes a second time:
/// then the path says where, from the inside out.
struct Walk<'p>(&'p mut Vec<String>);

/// A name of a field, copied only where it is written with escapes.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names: Vec<Name<'de>> = Vec::new();
        while let Some(name) = map.next_key::<Name<'de>>()? {
            if let Err(error) = map.next_value_seed(Walk(self.0)) {
                if !self.0.is_empty() {
                    self.0.push(name.0.into_owned());
                }
                return Err(error);
            }
            names.push(name);
        }
        names.sort_unstable();
        let mut pairs = names.iter().zip(names.iter().skip(1));
        match pairs.find(|(one, next)| one == next) {
            Some((name, _)) => {
                self.0.push(name.0.to_string());
                Err(A::Error::custom("a field is given twice"))
            }
            None => Ok(()),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        for index in 0_usize.. {
            match list.next_element_seed(Walk(self.0)) {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(error) => {
                    if !self.0.is_empty() {
                        self.0.push(format!("[{index}]"));
                    }
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(message: &str) -> Option<String> {
        match DuplicateKey::find(message.as_bytes())?.fault() {
            Fault::Core(error) => error.data().field.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_field_that_comes_twice_is_found_wherever_it_is() {
        for (message, expected) in [
            (
                r#"{"params":{"arguments":{"key":1,"value":2,"key":3}}}"#,
                "key",
            ),
            (
                r#"{"params":{"arguments":{"meta":{"tags":[],"tags":[]}}}}"#,
                "meta.tags",
            ),
            (
                r#"{"params":{"arguments":{"value":{"data":[0,{"a":1,"\u0061":2}]}}}}"#,
                "value.data[1].a",
            ),
            (r#"{"params":{"key":1,"key":1}}"#, "key"),
            (r#"{"params":{"arguments":{},"arguments":{}}}"#, "arguments"),
            (r#"{"method":"a","method":"b"}"#, "method"),
        ] {
            assert_eq!(field(message).as_deref(), Some(expected), "{message}");
        }
    }

    #[test]
    fn names_that_differ_and_what_is_no_json_give_nothing() {
        for message in [
            r#"{"a":{"a":{"a":[{"a":1},{"a":1.5},{"a":-1},null,true,"a"]}},"A":1}"#,
            "[]",
            "",
            r#"{"a":1,"a":"#,
            r#"{"a":1e999}"#,
        ] {
            assert_eq!(field(message), None, "{message}");
        }
    }
}
