//! Fields that a message gives twice.
//!
//! rmcp reads such a message and keeps the last of the two. What was meant is
//! unknown, so a call is refused, in the words in which JSON-RPC refuses it.

use std::collections::HashSet;
use std::fmt;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use nudge::{Error, from_json, invalid_field};
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::surface::guard::MAX_BODY;
use crate::wire::Fault;

/// A field that is given twice, as the caller of a method or a tool names it. It goes
/// along with the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DuplicateKey(String);

impl DuplicateKey {
    /// Looks for the first such field of a message; what is not JSON has none.
    pub(super) fn find(message: &[u8]) -> Option<DuplicateKey> {
        let error = from_json::<Unique>(message).err()?;
        let is_duplicate =
            |error: &Error| error.data().detail.as_deref() == Some("duplicate_field");
        let field = is_duplicate(&error).then_some(error.data().field.as_deref())??;
        let field = field.strip_prefix("params.").unwrap_or(field);
        let field = field.strip_prefix("arguments.").unwrap_or(field);
        Some(DuplicateKey(field.to_owned()))
    }

    /// The one that came along with a request, over whichever transport.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Option<&DuplicateKey> {
        let head = || context.extensions.get::<Parts>();
        let own = context.extensions.get::<DuplicateKey>();
        own.or_else(|| head()?.extensions.get())
    }

    pub(super) fn fault(&self) -> Fault {
        let name = &self.0;
        Fault::Core(invalid_field(name, &format!("duplicate field `{name}`")))
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

/// Any value in which no field is given twice.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique, D::Error> {
        deserializer.deserialize_any(Unique)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut given: A) -> Result<Unique, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = given.next_key::<String>()? {
            if names.contains(&name) {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
            names.insert(name);
            given.next_value::<Unique>()?;
        }
        Ok(Unique)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut given: A) -> Result<Unique, A::Error> {
        while given.next_element::<Unique>()?.is_some() {}
        Ok(Unique)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
        Ok(Unique)
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
