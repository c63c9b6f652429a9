//! What the classes of answers have in common, and what Python adds to the core's fields.

use nudge::HintValue;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pythonize::pythonize;

use crate::answer::written;
use crate::answer_classes::{Hint, HintMatch, Ranked, Reaction};

/// Defines the classes. An attribute gives the part of its name, and `None`
/// when there is none. `own` says how a part is made that is an answer itself.
macro_rules! answers {
    ($(
        $(#[$about:meta])*
        $name:ident($core:ty) {
            $($(#[$doc:meta])* $part:ident,)*
        }
        own { $($own:ident: $how:ident,)* }
    )*) => {
        $(
            $(#[$about])*
            #[pyclass(frozen, extends = Answer, module = "nudge")]
            pub(crate) struct $name(pub(crate) $core);

            #[pymethods]
            impl $name {
                $(
                    $(#[$doc])*
                    #[getter]
                    fn $part<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                        self.0.part(py, stringify!($part))
                    }
                )*
            }

            impl View for $name {
                type Core = $core;

                fn core(&self) -> &$core {
                    &self.0
                }
            }

            impl Described for $core {
                fn own_part<'py>(&self, _py: Python<'py>, name: &str) -> described::Part<'py> {
                    match name {
                        $(stringify!($own) => described::$how(_py, &self.$own),)*
                        _ => Ok(None),
                    }
                }
            }
        )*

        pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_class::<$name>()?;)*
            Ok(())
        }
    };
}

pub(crate) use answers;

#[pymethods]
impl Hint {
    /// How often it failed since its value last changed.
    #[getter]
    fn fail_count(&self) -> u64 {
        self.0.fail_count
    }

    /// The text a person means by the value: the command line, the path, the body.
    #[getter]
    fn text(&self) -> String {
        self.0.value.text().into_owned()
    }
}

#[pymethods]
impl HintMatch {
    /// The value of the hint.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, &self.0.hint.value)
    }

    /// The text a person means by the value: the command line, the path, the body.
    #[getter]
    fn text(&self) -> String {
        self.0.hint.value.text().into_owned()
    }
}

#[pymethods]
impl Ranked {
    /// The value of the hint.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, &self.0.hint.value)
    }

    /// The text a person means by the value: the command line, the path, the body.
    #[getter]
    fn text(&self) -> String {
        self.0.hint.value.text().into_owned()
    }
}

#[pymethods]
impl Reaction {
    /// What was done besides, each as a dict such as `{"bumped": "api/build"}`.
    #[getter]
    fn did<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        written(py, || pythonize(py, &self.0.did))
    }
}

/// A value as Python has it. Most are text, and need no detour.
pub(crate) fn value<'py>(py: Python<'py>, value: &HintValue) -> PyResult<Bound<'py, PyAny>> {
    match value.as_str() {
        Some(text) => Ok(PyString::new(py, text).into_any()),
        None => written(py, || pythonize(py, value)),
    }
}
