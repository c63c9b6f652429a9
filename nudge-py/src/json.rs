//! Python values as JSON, and what cannot be JSON refused by its place.

use std::fmt;
use std::io::Write;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::error::raise;

/// The core's JSON reader goes no deeper, so nothing is lost; and an object that
/// contains itself comes to an end.
pub(crate) const DEEPEST: usize = 127;

/// Where a value stands, such as `meta.tags[1]`; written out only when it is refused.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    outer: Option<&'a Place<'a>>,
    step: Step<'a>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

impl<'a> Place<'a> {
    pub(crate) fn field(name: &'a str) -> Place<'a> {
        Place {
            outer: None,
            step: Step::Field(name),
            depth: 1,
        }
    }

    fn inner(&'a self, step: Step<'a>) -> Place<'a> {
        Place {
            outer: Some(self),
            step,
            depth: self.depth + 1,
        }
    }

    fn outermost(&'a self) -> &'a Place<'a> {
        self.outer.map_or(self, Place::outermost)
    }

    /// The error for a value that cannot stand here.
    pub(crate) fn refuse(&self, py: Python<'_>, words: &str) -> PyErr {
        raise(py, &nudge::invalid_field(&self.to_string(), words))
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outer) = self.outer {
            outer.fmt(f)?;
        }
        match self.step {
            Step::Field(name) if self.outer.is_none() => f.write_str(name),
            Step::Field(name) => write!(f, ".{name}"),
            Step::Item(index) => write!(f, "[{index}]"),
        }
    }
}

/// Writes a value, and everything inside it.
pub(crate) fn write(
    json: &mut Vec<u8>,
    value: Borrowed<'_, '_, PyAny>,
    place: Place<'_>,
) -> PyResult<()> {
    let py = value.py();
    if place.depth > DEEPEST {
        let words = "this is nested too deep, or contains itself; store where to find it instead";
        return Err(place.outermost().refuse(py, words));
    }
    if let Ok(text) = value.cast::<PyString>() {
        write_text(json, unicode(&text, place)?)
    } else if let Ok(dict) = value.cast::<PyDict>() {
        // The entries are taken first: writing one may run code of the
        // caller's, which may change the dict, and pyo3's iterator panics then.
        write_object(json, py, place, &dict.iter().collect::<Vec<_>>())
    } else if let Ok(list) = value.cast::<PyList>() {
        write_list(json, place, list.iter())
    } else if value.is_none() {
        json.extend_from_slice(b"null");
        Ok(())
    } else if let Ok(flag) = value.cast::<PyBool>() {
        Ok(write!(json, "{}", flag.is_true())?)
    } else if let Ok(number) = value.cast::<PyInt>() {
        write_integer(json, &number, place)
    } else if let Ok(number) = value.cast::<PyFloat>() {
        match number.value() {
            number if number.is_finite() => write_plain(json, &number),
            _ => Err(place.refuse(py, "this is not a finite number, and JSON has no other")),
        }
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        write_list(json, place, tuple.iter())
    } else if let Ok(mapping) = value.cast::<PyMapping>() {
        let entries = mapping.items()?;
        let pairs: Result<Vec<_>, _> = entries.iter().map(|entry| entry.extract()).collect();
        let words = "the items of this mapping are not pairs; give a dict";
        let pairs = pairs.map_err(|_: PyErr| place.refuse(py, words))?;
        write_object(json, py, place, &pairs)
    } else {
        let kind = value.get_type().name()?;
        let words = format!("a Python `{kind}` is not JSON; give a string, number, list or dict");
        Err(place.refuse(py, &words))
    }
}

type Entry<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

fn write_object(
    json: &mut Vec<u8>,
    py: Python<'_>,
    place: Place<'_>,
    entries: &[Entry<'_>],
) -> PyResult<()> {
    json.push(b'{');
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        let Ok(key) = key.cast::<PyString>() else {
            return Err(place.refuse(py, "a key of this dict is not a string, as in JSON all are"));
        };
        let key = unicode(key, place)?;
        write_text(json, key)?;
        json.push(b':');
        write(json, value.as_borrowed(), place.inner(Step::Field(key)))?;
    }
    json.push(b'}');
    Ok(())
}

fn write_list<'py>(
    json: &mut Vec<u8>,
    place: Place<'_>,
    items: impl Iterator<Item = Bound<'py, PyAny>>,
) -> PyResult<()> {
    json.push(b'[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            json.push(b',');
        }
        write(json, item.as_borrowed(), place.inner(Step::Item(index)))?;
    }
    json.push(b']');
    Ok(())
}

/// Writes an integer that a JSON value holds as it is; a larger one would be rounded.
fn write_integer(json: &mut Vec<u8>, number: &Bound<'_, PyInt>, place: Place<'_>) -> PyResult<()> {
    if let Ok(number) = number.extract::<i64>() {
        return Ok(write!(json, "{number}")?);
    }
    if let Ok(number) = number.extract::<u64>() {
        return Ok(write!(json, "{number}")?);
    }
    let words = "this integer is too large: it takes more than 64 bits; give it as a string";
    Err(place.refuse(number.py(), words))
}

/// The text of a string, unless it holds half of a surrogate pair.
pub(crate) fn unicode<'s>(text: &'s Bound<'_, PyString>, place: Place<'_>) -> PyResult<&'s str> {
    let words = "this text holds a lone surrogate, which is not Unicode; replace it";
    let refuse = |_| place.refuse(text.py(), words);
    text.to_str().map_err(refuse)
}

pub(crate) fn write_text(json: &mut Vec<u8>, text: &str) -> PyResult<()> {
    write_plain(json, &text)
}

fn write_plain(json: &mut Vec<u8>, value: &impl serde::Serialize) -> PyResult<()> {
    serde_json::to_writer(json, value).map_err(|error| std::io::Error::from(error).into())
}
