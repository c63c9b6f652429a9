//! `Context` in Python: the facts of a caller, prepared once.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use nudge::from_json;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::pythonize;

use crate::error::{guarded, raise};
use crate::json;

/// What can be stated.
const FACTS: [&str; 7] = ["cwd", "root", "repo", "branch", "os", "env", "files_open"];

/// The facts that a caller states about where it is.
///
/// Each fact is brought into its normal form once, so a context that is made
/// once and used for every call is quicker than a dict each time. Nothing is
/// inferred; `Context.here()` does that. What is left out is not known, and a
/// hint whose scope asks for it does not apply. It is a value: it can be
/// compared, hashed, copied and pickled.
///
/// Raises `InvalidError`, and `TypeError` for a fact with an unknown name.
///
///     >>> here = Context(cwd="/work/http-proxy", branch="dev")
///     >>> store.query(context=here).total
///     0
#[pyclass(frozen, module = "nudge", eq)]
#[derive(PartialEq)]
pub(crate) struct Context(pub(crate) nudge::Context);

impl Context {
    /// The context that some keywords state.
    pub(crate) fn stated(
        py: Python<'_>,
        call: &str,
        facts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<nudge::Context> {
        let Some(facts) = facts else {
            return Ok(nudge::Context::new());
        };
        for name in facts.keys() {
            if !FACTS.iter().any(|fact| name.eq(fact).unwrap_or(false)) {
                let words = format!("{call}() got an unexpected keyword argument '{name}'");
                return Err(PyTypeError::new_err(words));
            }
        }
        let json = json::object(facts)?;
        let read = guarded(|| from_json(&json)).and_then(|read| read);
        read.map_err(|error| raise(py, &error))
    }

    /// The facts as JSON, of which the very same context can be made.
    pub(crate) fn json(&self) -> PyResult<Vec<u8>> {
        serde_json::to_vec(&self.0).map_err(|error| std::io::Error::from(error).into())
    }
}

#[pymethods]
impl Context {
    #[new]
    #[pyo3(
        signature = (**facts),
        text_signature = "(*, cwd=None, root=None, repo=None, branch=None, os=None, env=None, files_open=None)"
    )]
    fn new(py: Python<'_>, facts: Option<&Bound<'_, PyDict>>) -> PyResult<Context> {
        Context::stated(py, "Context", facts).map(Context)
    }

    /// Gathers the facts of this process: its cwd, and the root, repository, branch and os there.
    ///
    /// What is given stays as it is. Of the environment nothing is read;
    /// `Nudge.here()` reads the names that scopes mention. Git is read from its
    /// files; no program is started. Raises `InvalidError`.
    ///
    ///     >>> here = Context.here(branch="dev")
    #[staticmethod]
    #[pyo3(
        signature = (**facts),
        text_signature = "(*, cwd=None, root=None, repo=None, branch=None, os=None, env=None, files_open=None)"
    )]
    fn here(py: Python<'_>, facts: Option<&Bound<'_, PyDict>>) -> PyResult<Context> {
        let stated = Context::stated(py, "Context.here", facts)?;
        let none = std::iter::empty::<&str>();
        Ok(Context(py.detach(|| stated.filled_in(none))))
    }

    /// Gives the facts as a dict, the JSON of the contract, each in its normal form.
    ///
    ///     >>> Context(cwd="/work/./api/").to_dict()
    ///     {'cwd': '/work/api'}
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0)?)
    }

    fn __hash__(&self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.json()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    /// What `pickle` and `copy` make another one of.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyAny>)> {
        Ok(((), self.to_dict(py)?))
    }

    /// The facts, without the values of variables, any of which may be a secret.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = Vec::new();
        for (name, fact) in self.to_dict(py)?.cast::<PyDict>()? {
            let fact = match fact.cast::<PyDict>() {
                Ok(variables) => {
                    let names = variables.keys().iter().map(|name| name.repr());
                    let hidden = names.map(|name| Ok(format!("{}: ...", name?)));
                    let hidden: PyResult<Vec<String>> = hidden.collect();
                    format!("{{{}}}", hidden?.join(", "))
                }
                Err(_) => fact.repr()?.to_string(),
            };
            shown.push(format!("{name}={fact}"));
        }
        Ok(format!("Context({})", shown.join(", ")))
    }
}
