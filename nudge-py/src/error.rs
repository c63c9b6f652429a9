//! What goes wrong, as Python raises it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use nudge::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pythonize::pythonize;
use serde_json::json;

/// Why a call failed: what the core says, or that there is no store to ask.
pub(crate) enum Failure {
    Core(Error),
    Closed,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Core(error) => raise(py, &error),
            Failure::Closed => exception(
                py,
                pythonize(
                    py,
                    &json!({
                        "code": ErrorKind::Invalid.code(),
                        "message": "the store is closed; make a new one with `Nudge()`",
                        "data": {"reason": ErrorKind::Invalid.reason(), "detail": "closed"},
                    }),
                ),
            ),
        }
    }
}

/// The exception for an error of the core.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    exception(py, pythonize(py, error))
}

/// The exception for an error object. Which class it has is decided in
/// `errors.py` alone.
fn exception(py: Python<'_>, error: pythonize::Result<Bound<'_, PyAny>>) -> PyErr {
    static NUDGE_ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = NUDGE_ERROR
        .import(py, "nudge.errors", "NudgeError")
        .and_then(|class| class.call_method1("from_dict", (error?,)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}

/// The code and the reason of every kind, for the test that walks them.
pub(crate) fn kinds() -> Vec<(i32, &'static str)> {
    let kinds = ErrorKind::ALL.iter();
    kinds.map(|kind| (kind.code(), kind.reason())).collect()
}

/// Runs code of the core; a panic in it is an error of the kind `Internal`.
///
/// Otherwise it would be pyo3's `PanicException`, which is not an `Exception` and
/// passes by every `except` that a careful caller has written. Nothing is left
/// half written: the core computes a change before it applies it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let words = "this is a bug in Nudge; please report it with what you called";
        Error::new(ErrorKind::Internal, words)
    })
}
