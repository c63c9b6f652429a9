//! `Answer`: what every answer has in common, which is to be a mapping.

use nudge::{Error, WithSecrets};
use pyo3::PyClass;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyIterator, PyList, PyMapping, PyString};
use pythonize::{PythonizeError, pythonize};
use serde::Serialize;

use crate::described::{self, Part};
use crate::error::{guarded, raise};
use crate::fields;

/// An answer of the store: a read-only mapping of exactly the contract's JSON.
///
/// What is in it is also an attribute, `None` when it is absent. A part is built when
/// it is asked for, again each time, so keep one that you need twice. `to_dict()`
/// builds it all.
#[pyclass(frozen, subclass, mapping, module = "nudge")]
pub(crate) struct Answer(PartsOf);

/// Finds the parts of an answer. They lie in the object of the subclass, which
/// costs an answer no second allocation.
type PartsOf = for<'a> fn(&'a Bound<'_, Answer>) -> PyResult<&'a dyn Parts>;

/// A class of answers: a subclass of [`Answer`] around an answer of the core.
pub(crate) trait View: PyClass<BaseType = Answer, Frozen = True> + Sync {
    type Core: Described + 'static;

    fn core(&self) -> &Self::Core;
}

/// An answer of the core, as far as Python has something to say about it.
pub(crate) trait Described: Serialize {
    /// The part of this name when it is an answer itself, or worth a shorter way.
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py>;
}

/// What the mapping needs of an answer of whatever class.
pub(crate) trait Parts {
    fn names(&self, py: Python<'_>) -> PyResult<Vec<&'static str>>;
    fn part<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>>;
    fn whole<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn shows(&self, name: &str) -> bool;
}

impl<T: Described + 'static> Parts for T {
    fn names(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        written(py, || fields::names(py, self))
    }

    fn part<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.own_part(py, name)? {
            None => written(py, || fields::field(py, &WithSecrets(self), name)),
            own => Ok(own),
        }
    }

    fn whole<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        written(py, || pythonize(py, &WithSecrets(self)))
    }

    fn shows(&self, name: &str) -> bool {
        described::shows(self, name)
    }
}

/// Runs code of the core that writes a part of an answer.
pub(crate) fn written<T>(
    py: Python<'_>,
    write: impl FnOnce() -> Result<T, PythonizeError>,
) -> PyResult<T> {
    let written = guarded(write).map_err(|bug: Error| raise(py, &bug))?;
    Ok(written?)
}

/// Makes the Python object for an answer.
pub(crate) fn object<V: View>(py: Python<'_>, view: V) -> PyResult<Bound<'_, V>> {
    let parts: PartsOf = |answer| Ok(answer.cast::<V>()?.get().core());
    Bound::new(
        py,
        PyClassInitializer::from(Answer(parts)).add_subclass(view),
    )
}

fn parts<'a>(answer: &'a Bound<'_, Answer>) -> PyResult<&'a dyn Parts> {
    (answer.get().0)(answer)
}

/// The view of `collections.abc` that a `Mapping` gives for `keys` and the like.
fn view<'py>(
    class: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
    answer: &Bound<'py, Answer>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = class.import(answer.py(), "collections.abc", name)?;
    class.call1((answer,))
}

#[pymethods]
impl Answer {
    /// Gives the whole answer as plain dicts and lists, ready for `json.dumps`.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts(slf)?.whole(slf.py())
    }

    /// Gives the part of this name, or `default` when there is none.
    #[pyo3(signature = (key, default=None, /))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Answer::find(slf, key)?.or(default))
    }

    /// Gives the names of the parts.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        view(&CLASS, "KeysView", slf)
    }

    /// Gives the names of the parts with the parts.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        view(&CLASS, "ItemsView", slf)
    }

    /// Gives the parts.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        view(&CLASS, "ValuesView", slf)
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyKeyError::new_err(key.clone().unbind());
        Answer::find(slf, key)?.ok_or_else(missing)
    }

    fn __contains__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(key) = key.cast::<PyString>() else {
            return Ok(false);
        };
        let names = parts(slf)?.names(slf.py())?;
        Ok(key.to_str().is_ok_and(|key| names.contains(&key)))
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(parts(slf)?.names(slf.py())?.len())
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let names = parts(slf)?.names(slf.py())?;
        PyList::new(slf.py(), names)?.try_iter()
    }

    /// Equal to any mapping that holds the same.
    fn __eq__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let other = match (other.cast::<Answer>(), other.cast::<PyMapping>()) {
            (Ok(answer), _) => Answer::to_dict(answer)?,
            (_, Ok(mapping)) if !mapping.is_instance_of::<PyDict>() => {
                py.get_type::<PyDict>().call1((mapping,))?
            }
            (_, Ok(dict)) => dict.clone().into_any(),
            _ => return Ok(py.NotImplemented().into_bound(py)),
        };
        let same = Answer::to_dict(slf)?.eq(other)?;
        Ok(same.into_pyobject(py)?.to_owned().into_any())
    }

    /// The parts, without the value and the meta of a hint that is marked as secret.
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, parts) = (slf.py(), parts(slf)?);
        let mut shown = Vec::new();
        for name in parts.names(py)? {
            let part = match parts.part(py, name)? {
                Some(part) if parts.shows(name) => part.repr()?.to_string(),
                _ => "...".to_owned(),
            };
            shown.push(format!("{name}={part}"));
        }
        Ok(format!("{}({})", slf.get_type().name()?, shown.join(", ")))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        let name = slf.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a {name} cannot be pickled or copied; take its to_dict()"
        )))
    }
}

impl Answer {
    fn find<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match key.cast::<PyString>().map(|key| key.to_str()) {
            Ok(Ok(key)) => parts(slf)?.part(slf.py(), key),
            _ => Ok(None),
        }
    }
}
