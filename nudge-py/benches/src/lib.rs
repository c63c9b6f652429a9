//! What a call from Python into Rust costs that reads two names and a context,
//! does nothing, and returns an object whose value is read.

#![forbid(unsafe_code)]

use std::sync::Arc;

use pyo3::prelude::*;

/// A context, made once.
#[pyclass(frozen)]
struct Context(Arc<str>);

#[pymethods]
impl Context {
    #[new]
    fn new(cwd: String) -> Context {
        Context(cwd.into())
    }
}

/// A store without hints.
#[pyclass(frozen)]
struct Empty(Arc<str>);

#[pymethods]
impl Empty {
    #[new]
    fn new(value: String) -> Empty {
        Empty(value.into())
    }

    /// Reads what a get reads, and gives a lazy object.
    #[pyo3(signature = (component, key, *, context=None))]
    fn get_hint(
        &self,
        py: Python<'_>,
        component: &str,
        key: &str,
        context: Option<&Bound<'_, Context>>,
    ) -> Lazy {
        let context = context.map(|context| Arc::clone(&context.get().0));
        let kept = (component.to_owned(), key.to_owned(), context);
        let value = py.detach(|| Arc::clone(&self.0));
        Lazy { value, _kept: kept }
    }
}

/// An answer whose value is made when it is read.
#[pyclass(frozen)]
struct Lazy {
    value: Arc<str>,
    _kept: (String, String, Option<Arc<str>>),
}

#[pymethods]
impl Lazy {
    #[getter]
    fn value(&self) -> &str {
        &self.value
    }
}

/// The floor.
#[pymodule(gil_used = false)]
fn floor(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Context>()?;
    module.add_class::<Empty>()?;
    Ok(())
}
