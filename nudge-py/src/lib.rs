//! Nudge for Python: the extension module `nudge._nudge`.
//!
//! Rust converts and calls; Python names things. What a caller gives goes by JSON (`json.rs`), so
//! that every refusal is the core's own, word for word. What comes back are dicts of exactly the
//! answer's JSON (`answers.rs`).

#![forbid(unsafe_code)]

mod answers;
mod context;
mod error;
mod fork;
mod json;
mod store;

use pyo3::prelude::*;

/// Nudge as compiled code; import `nudge` instead.
#[pymodule(gil_used = false)]
fn _nudge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<store::Store>()?;
    module.add_class::<context::Context>()?;
    module.add_function(wrap_pyfunction!(store::text_of, module)?)?;
    fork::register(module.py())?;
    // Set and not added, which would make them public.
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
    module.setattr("_KINDS", error::kinds())
}
