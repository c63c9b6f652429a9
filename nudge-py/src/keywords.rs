//! The keywords that stand for a part of `meta`, which is then written without a dict.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

/// The fields of `meta`; `generate` writes them.
const META: &[&str] = &[
    "reason",
    "tags",
    "priority",
    "confidence",
    "pin",
    "ttl",
    "sensitivity",
    "scope",
    "source",
    "added_by",
    "anchors",
];

/// The fields of `meta["scope"]`; `generate` writes them.
const SCOPE: &[&str] = &[
    "cwd_glob",
    "repo",
    "branch",
    "os",
    "env_required",
    "env_match",
];

/// Puts the keywords that stand for a part of `meta` into it.
///
/// One that is `None` is as good as left out, as every argument is.
pub(crate) fn fold<'py>(call: &str, named: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let py = named.py();
    let (rest, of_meta, of_scope) = (PyDict::new(py), PyDict::new(py), PyDict::new(py));
    for (name, value) in named {
        let word = name.extract().unwrap_or_default();
        if META.contains(&word) || SCOPE.contains(&word) {
            let part = if META.contains(&word) {
                &of_meta
            } else {
                &of_scope
            };
            if !value.is_none() {
                part.set_item(name, value)?;
            }
        } else {
            rest.set_item(name, value)?;
        }
    }
    if of_meta.is_empty() && of_scope.is_empty() {
        return Ok(rest);
    }
    if let Some(meta) = add(call, &rest, "meta", &of_meta)?
        && !of_scope.is_empty()
    {
        add(call, &meta, "scope", &of_scope)?;
    }
    Ok(rest)
}

/// Adds fields to the mapping of this name, or rather to a copy of it, which is given back.
fn add<'py>(
    call: &str,
    outer: &Bound<'py, PyDict>,
    name: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let all = PyDict::new(outer.py());
    if let Some(given) = outer.get_item(name)?.filter(|given| !given.is_none()) {
        // What is not a mapping is left to the core, which refuses it.
        let Ok(given) = given.cast::<PyMapping>() else {
            return Ok(None);
        };
        all.update(given)?;
    }
    for (field, value) in fields {
        if all.contains(&field)? {
            let words = format!("{call}() got '{field}' twice: as a keyword and in '{name}'");
            return Err(PyTypeError::new_err(words));
        }
        all.set_item(field, value)?;
    }
    outer.set_item(name, &all)?;
    Ok(Some(all))
}
