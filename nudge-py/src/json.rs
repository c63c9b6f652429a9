//! Python values as JSON, and what cannot be JSON refused by its place.
//!
//! What Python has a type for and JSON has not is taken here alone: a path, a set for a
//! list, a `timedelta` for a time to live, a lone tag.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDelta, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyMapping, PySet, PyString,
    PyTuple,
};

use crate::context::Context;
use crate::error::raise;

/// The core's JSON reader goes no deeper, so nothing is lost; and an object that
/// contains itself comes to an end.
const DEEPEST: usize = 127;

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

    fn is(&self, name: &str) -> bool {
        matches!(self.step, Step::Field(field) if field == name)
    }

    /// Whether what stands here is kept as it is, so that it must be JSON already.
    fn is_kept(&self) -> bool {
        match self.outer {
            Some(outer) => outer.is_kept() || (self.is("data") && outer.is("value")),
            None => self.is("payload"),
        }
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

/// The fields of a dict, each in its place, as one object.
pub(crate) fn object(fields: &Bound<'_, PyDict>) -> PyResult<Vec<u8>> {
    let mut json = vec![b'{'];
    // Taken first, because writing one may run code of the caller's.
    for (name, value) in &fields.iter().collect::<Vec<_>>() {
        if json.len() > 1 {
            json.push(b',');
        }
        let place = Place::field(".");
        let Ok(name) = name.cast::<PyString>() else {
            return Err(place.refuse(name.py(), "the name of a field is not a string"));
        };
        let name = unicode(name, place)?;
        write_plain(&mut json, &name)?;
        json.push(b':');
        match value.cast::<Context>() {
            Ok(context) if name == "context" => json.extend(context.get().json()?),
            _ => write(&mut json, value.as_borrowed(), Place::field(name))?,
        }
    }
    json.push(b'}');
    Ok(json)
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
        let is_lone_tag = place.is("tags") && !place.is_kept();
        json.extend_from_slice(if is_lone_tag { b"[" } else { b"" });
        write_plain(json, &unicode(&text, place)?)?;
        json.extend_from_slice(if is_lone_tag { b"]" } else { b"" });
        Ok(())
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
    } else if let Some(plain) = plain(value, place)? {
        write(json, plain.as_borrowed(), place)
    } else {
        let kind = value.get_type().name()?;
        let words = format!("a Python `{kind}` is not JSON; give a string, number, list or dict");
        Err(place.refuse(py, &words))
    }
}

/// What JSON would say instead of a path, a set or a time to live.
fn plain<'py>(
    value: Borrowed<'_, 'py, PyAny>,
    place: Place<'_>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    if place.is_kept() {
        return Ok(None);
    }
    if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
        let items = PyList::new(py, value.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        // A set has no order, and the same one must give the same request. What cannot be
        // sorted is not all text, which the core refuses.
        let _ = items.sort();
        return Ok(Some(items.into_any()));
    }
    if value.is_instance_of::<PyDelta>() && (place.is("ttl") || place.is("default_ttl")) {
        let text = match value.extract() {
            Ok(time) => duration(time),
            Err(_) => return Err(place.refuse(py, "this time is negative; give a positive one")),
        };
        return Ok(Some(PyString::new(py, &text).into_any()));
    }
    let Some(text_of) = value.get_type().getattr_opt(intern!(py, "__fspath__"))? else {
        return Ok(None);
    };
    let text = text_of.call1((value,))?;
    Ok(text.is_instance_of::<PyString>().then_some(text))
}

/// A time as ISO 8601 has it, in the largest unit that leaves no rest: `PT2H`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let is_whole =
        |size: u64| seconds > 0 && time.subsec_micros() == 0 && seconds.is_multiple_of(size);
    match () {
        () if is_whole(86_400) => format!("P{}D", seconds / 86_400),
        () if is_whole(3_600) => format!("PT{}H", seconds / 3_600),
        () if is_whole(60) => format!("PT{}M", seconds / 60),
        () => format!("PT{}S", time.as_secs_f64()),
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
        write_plain(json, &key)?;
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

fn write_plain(json: &mut Vec<u8>, value: &impl serde::Serialize) -> PyResult<()> {
    serde_json::to_writer(json, value).map_err(|error| std::io::Error::from(error).into())
}
