//! Nudge for Python: the extension module `nudge._nudge`.
//!
//! Rust converts and calls; Python names things. What a caller gives is read
//! straight into a request (`value.rs`); what cannot be, goes by JSON
//! (`json.rs`), so that every refusal is the core's own, word for word. What
//! comes back is a mapping of exactly the answer's JSON (`answer.rs`), of which
//! a part is built when somebody asks for it.

#![forbid(unsafe_code)]

mod answer;
mod answer_classes;
mod answers;
mod arguments;
mod context;
mod described;
mod error;
mod fields;
mod fork;
mod json;
mod keywords;
mod operations;
mod prompt_block;
mod store;
mod value;

use pyo3::prelude::*;
use pyo3::types::PyMapping;

/// Nudge as compiled code; import `nudge` instead.
#[pymodule(gil_used = false)]
fn _nudge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<store::Store>()?;
    module.add_class::<context::Context>()?;
    module.add_class::<answer::Answer>()?;
    // Before its subclasses are made: in Python 3.10 only later ones inherit it.
    PyMapping::register::<answer::Answer>(module.py())?;
    answer_classes::add_to(module)?;
    module.add_function(wrap_pyfunction!(prompt_block::prompt_block, module)?)?;
    fork::register(module.py())?;
    // Set and not added, which would make them public.
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
    module.setattr("_KINDS", error::kinds())
}
