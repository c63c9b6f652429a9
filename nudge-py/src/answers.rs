//! Answers as Python has them: dicts, of the classes in `nudge.answers`.

use nudge::{Error, WithSecrets};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyMapping, PyString};
use pythonize::{
    PythonizeMappingType, PythonizeNamedMappingType, PythonizeTypes, pythonize_custom,
};
use serde::Serialize;

use crate::error::{guarded, raise};

/// Makes the dicts for an answer of the core. Which class a part has, its name in the core says.
pub(crate) fn answer<'py>(py: Python<'py>, answer: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let write = || pythonize_custom::<Answers, _>(py, &WithSecrets(answer));
    let written = guarded(write).map_err(|bug: Error| raise(py, &bug))?;
    Ok(written?)
}

struct Answers;

impl PythonizeTypes for Answers {
    type Map = PyDict;
    type NamedMap = Named;
    type List = PyList;
}

/// A struct of the core: a dict of the class that has its name, if there is one.
struct Named;

impl PythonizeNamedMappingType for Named {
    type Builder<'py> = Bound<'py, PyDict>;

    fn builder<'py>(
        py: Python<'py>,
        _fields: usize,
        name: &'static str,
    ) -> PyResult<Self::Builder<'py>> {
        static CLASSES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let classes = CLASSES.import(py, "nudge.answers", "CLASSES")?;
        match classes
            .cast::<PyDict>()?
            .get_item(PyString::intern(py, name))?
        {
            Some(class) => Ok(class.call0()?.cast_into()?),
            None => Ok(PyDict::new(py)),
        }
    }

    fn push_field<'py>(
        dict: &mut Self::Builder<'py>,
        name: Bound<'py, PyString>,
        value: Bound<'py, PyAny>,
    ) -> PyResult<()> {
        dict.set_item(name, value)
    }

    fn finish(dict: Self::Builder<'_>) -> PyResult<Bound<'_, PyMapping>> {
        <PyDict as PythonizeMappingType>::finish(dict)
    }
}
