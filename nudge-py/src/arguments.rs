//! The arguments of a call, and the request that they make.

use std::convert::Infallible;

use nudge::from_json;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::iter::BoundDictIterator;
use pyo3::types::{PyDict, PyString};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess};

use crate::context::Context;
use crate::error::{guarded, raise_for};
use crate::json::{self, Place};
use crate::keywords;
use crate::value::{Unread, Value};

/// An argument that a caller may leave out.
///
/// `None` is something else: it is JSON's `null`, and the core decides what that
/// means. A required argument may be left out as well, so that the core says
/// what is missing.
#[derive(Clone, Copy)]
pub(crate) enum Arg<'a, 'py> {
    Missing,
    Given(Borrowed<'a, 'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Arg<'a, 'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Arg::Given(object))
    }
}

impl<'a> Arg<'a, '_> {
    /// The text, if that is what was given.
    pub(crate) fn as_text(self) -> Option<&'a str> {
        match self {
            Arg::Given(object) => object.extract().ok(),
            Arg::Missing => None,
        }
    }

    /// The context, if it is a prepared one or none at all.
    pub(crate) fn as_prepared(self) -> Option<nudge::Context> {
        match self {
            Arg::Missing => Some(nudge::Context::new()),
            Arg::Given(object) if object.is_none() => Some(nudge::Context::new()),
            Arg::Given(object) => Some(object.cast::<Context>().ok()?.get().0.clone()),
        }
    }
}

/// The arguments of a call by their names.
pub(crate) struct Arguments<'a, 'py, const N: usize> {
    /// What is called, as Python names it in a `TypeError`.
    pub(crate) call: &'static str,
    /// Those that have a place.
    pub(crate) placed: [(&'static str, Arg<'a, 'py>); N],
    /// Those that were given by name, known or not.
    pub(crate) named: Option<&'a Bound<'py, PyDict>>,
}

/// Whether an argument is a prepared context.
///
/// Such a one is read by nobody: that was done when it was made, and written out
/// a repository on a host without a dot would pass for one on any host. The core
/// hears of `null` in its stead, because it refuses a context where it takes none.
fn is_prepared(name: &str, value: Borrowed<'_, '_, PyAny>) -> bool {
    name == "context" && value.is_instance_of::<Context>()
}

impl<const N: usize> Arguments<'_, '_, N> {
    /// The request that is meant, or the core's word on why there is none.
    pub(crate) fn request<Q: Request>(&self, py: Python<'_>) -> PyResult<Q> {
        match self.named.filter(|_| Q::HAS_META) {
            Some(named) => {
                let named = &keywords::fold(self.call, named)?;
                let folded = Arguments {
                    named: Some(named),
                    ..*self
                };
                folded.read(py)
            }
            None => self.read(py),
        }
    }

    fn read<Q: Request>(&self, py: Python<'_>) -> PyResult<Q> {
        let given = Given {
            placed: self.placed.iter(),
            named: self.named.map(PyDictMethods::iter),
            value: None,
        };
        let read = match guarded(|| Q::deserialize(MapAccessDeserializer::new(given))) {
            Ok(Err(Unread)) => {
                let json = self.json()?;
                guarded(|| from_json(&json)).and_then(|read| read)
            }
            Ok(Ok(request)) => Ok(request),
            Err(bug) => Err(bug),
        };
        let request: Q = read.map_err(|error| raise_for(py, &error, self.call))?;
        Ok(match self.context(py)? {
            Some(context) => request.at(context),
            None => request,
        })
    }

    /// The prepared context among the arguments.
    fn context(&self, py: Python<'_>) -> PyResult<Option<nudge::Context>> {
        let placed = self.placed.iter().find(|(name, _)| *name == "context");
        let named = match self.named {
            Some(named) => named.get_item(intern!(py, "context"))?,
            None => None,
        };
        let context = match (placed, &named) {
            (Some((_, Arg::Given(context))), _) => *context,
            (_, Some(context)) => context.as_borrowed(),
            _ => return Ok(None),
        };
        let context = context.cast::<Context>().ok();
        Ok(context.map(|context| context.get().0.clone()))
    }

    /// The arguments as JSON.
    fn json(&self) -> PyResult<Vec<u8>> {
        let mut json = vec![b'{'];
        let mut add = |name: &str, value: Borrowed<'_, '_, PyAny>| {
            if json.len() > 1 {
                json.push(b',');
            }
            json::write_text(&mut json, name)?;
            json.push(b':');
            if is_prepared(name, value) {
                json.extend_from_slice(b"null");
                return Ok(());
            }
            json::write(&mut json, value, Place::field(name))
        };
        for (name, arg) in self.placed {
            if let Arg::Given(value) = arg {
                add(name, value)?;
            }
        }
        // Taken first, because writing one may run code of the caller's.
        let named: Vec<_> = self.named.into_iter().flatten().collect();
        for (name, value) in &named {
            let name = json::unicode(name.cast::<PyString>()?, Place::field("."))?;
            add(name, value.as_borrowed())?;
        }
        json.push(b'}');
        Ok(json)
    }
}

/// The arguments as serde goes over them.
struct Given<'a, 'py> {
    placed: std::slice::Iter<'a, (&'static str, Arg<'a, 'py>)>,
    named: Option<BoundDictIterator<'py>>,
    /// The value of the name that was read last; none for a prepared context.
    value: Option<Bound<'py, PyAny>>,
}

impl<'py> Given<'_, 'py> {
    fn key<'de, K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
        name: &str,
        value: Bound<'py, PyAny>,
    ) -> Result<Option<K::Value>, Unread> {
        self.value = Some(value).filter(|value| !is_prepared(name, value.as_borrowed()));
        let name: StrDeserializer<'_, Unread> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }
}

impl<'de> MapAccess<'de> for Given<'_, '_> {
    type Error = Unread;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unread> {
        while let Some((name, arg)) = self.placed.next() {
            if let Arg::Given(value) = arg {
                return self.key(seed, name, Bound::clone(value));
            }
        }
        match self.named.as_mut().and_then(Iterator::next) {
            Some((name, value)) => self.key(seed, name.extract().map_err(|_| Unread)?, value),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Unread> {
        match self.value.take() {
            Some(value) => seed.deserialize(Value::new(value.as_borrowed())),
            None => seed.deserialize(().into_deserializer()),
        }
    }
}

/// What can be asked for by keyword.
pub(crate) trait Request: DeserializeOwned {
    /// Whether what is in its `meta` may be given by keywords too.
    const HAS_META: bool = false;

    /// The same with a prepared context; one that takes none has refused it by now.
    #[must_use]
    fn at(self, _context: nudge::Context) -> Self {
        self
    }
}

impl Request for nudge::Config {}

impl Request for nudge::Context {}

impl Request for nudge::Speaker {}

impl Request for nudge_client::Connect {}

impl Request for nudge::GetHint {
    fn at(self, context: nudge::Context) -> Self {
        self.context(context)
    }
}
