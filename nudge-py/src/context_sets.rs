//! Context sets in Python: what is being worked on.

use nudge::Nudge;
use pyo3::prelude::*;

use crate::answer::object;
use crate::answers::ContextSets;
use crate::arguments::{Arg, Arguments};
use crate::store::{Named, Store};

#[pymethods]
impl Store {
    /// Says what is being worked on, in named sets.
    ///
    /// `sets` has the items of each set, the newest last: strings or integers, none to
    /// take a set away. With `mode="merge"` a set keeps what it has. A set has 10 items
    /// at most and all have 50; the newest stay, and `dropped` says what went.
    ///
    /// Raises `InvalidError` and `SecretRejectedError`.
    ///
    ///     >>> store.set_context({"files": ["src/proxy.rs"], "ports": [8080]}).sets
    ///     {'files': ['src/proxy.rs'], 'ports': ['8080']}
    #[pyo3(
        signature = (sets=Arg::Missing, **named),
        text_signature = "($self, sets, *, mode=None)"
    )]
    fn set_context<'py>(
        &self,
        py: Python<'py>,
        sets: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, ContextSets>> {
        let placed = [("sets", sets)];
        let arguments = Arguments { placed, named };
        object(
            py,
            ContextSets(self.call(py, &arguments, Nudge::set_context)?),
        )
    }

    /// Tells what is being worked on, or what is in one set.
    ///
    /// Files that no longer exist on this machine are counted in `gone` and not listed.
    /// Raises `NotFoundError`, which names the nearest set, and `InvalidError`.
    ///
    ///     >>> _ = store.set_context({"ports": [8080]})
    ///     >>> store.get_context().sets
    ///     {'ports': ['8080']}
    #[pyo3(
        signature = (name=Arg::Missing, **named),
        text_signature = "($self, name=None)"
    )]
    fn get_context<'py>(
        &self,
        py: Python<'py>,
        name: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, ContextSets>> {
        let placed = [("name", name)];
        let arguments = Arguments { placed, named };
        object(
            py,
            ContextSets(self.call(py, &arguments, Nudge::get_context)?),
        )
    }
}
