//! Forks: they wait for the calls of other threads, so that a child can use its copy.

use nudge::fork_lock;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Tells Python what to do around `os.fork()`; there are systems that have none.
pub(crate) fn register(py: Python<'_>) -> PyResult<()> {
    let os = py.import("os")?;
    if !os.hasattr("register_at_fork")? {
        return Ok(());
    }
    let after = wrap_pyfunction!(after_fork, py)?;
    let around = PyDict::new(py);
    around.set_item("before", wrap_pyfunction!(before_fork, py)?)?;
    around.set_item("after_in_parent", &after)?;
    around.set_item("after_in_child", after)?;
    os.call_method("register_at_fork", (), Some(&around))?;
    Ok(())
}

#[pyfunction]
fn before_fork(py: Python<'_>) {
    py.detach(fork_lock::before_fork);
}

#[pyfunction]
fn after_fork() {
    fork_lock::after_fork();
}
