//! Proposals in Python: hints that wait to be accepted.

use nudge::Nudge;
use pyo3::prelude::*;

use crate::answer::object;
use crate::answers::{HintSet, Proposals, Proposed};
use crate::arguments::{Arg, Arguments};
use crate::store::{Named, Store};

#[pymethods]
impl Store {
    /// Proposes a hint: it is never served until it is accepted.
    ///
    /// As `set_hint`, with a reason. Raises `ConflictError` when the hint says so
    /// already, and what a set raises.
    ///
    ///     >>> proposed = store.propose("api", "test", "make test JOBS=1", why="it failed without")
    ///     >>> proposed.proposal.id, store.query().total
    ///     (1, 0)
    #[pyo3(
        signature = (component=Arg::Missing, key=Arg::Missing, value=Arg::Missing, **named),
        text_signature = "($self, component, key, value, *, why, meta=None)"
    )]
    fn propose<'py>(
        &self,
        py: Python<'py>,
        component: Arg<'_, 'py>,
        key: Arg<'_, 'py>,
        value: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, Proposed>> {
        let placed = [("component", component), ("key", key), ("value", value)];
        let arguments = Arguments { placed, named };
        object(py, Proposed(self.call(py, &arguments, Nudge::propose)?))
    }

    /// Lists the proposals that wait.
    ///
    /// The oldest comes first, and there are 50 at most.
    ///
    ///     >>> _ = store.propose("api", "test", "make test", why="it worked")
    ///     >>> [proposal.hint.value for proposal in store.list_proposals().proposals]
    ///     ['make test']
    #[pyo3(
        signature = (**named),
        text_signature = "($self)"
    )]
    fn list_proposals<'py>(
        &self,
        py: Python<'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, Proposals>> {
        let arguments = Arguments { placed: [], named };
        object(
            py,
            Proposals(self.call(py, &arguments, Nudge::list_proposals)?),
        )
    }

    /// Sets the hint of a proposal, as the user's own.
    ///
    /// Raises `NotFoundError` when it does not wait, and what a set raises.
    ///
    ///     >>> _ = store.propose("api", "test", "make test", why="it worked")
    ///     >>> store.accept(1).hint.meta["source"]
    ///     'user'
    #[pyo3(
        signature = (id=Arg::Missing, **named),
        text_signature = "($self, id)"
    )]
    fn accept<'py>(
        &self,
        py: Python<'py>,
        id: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, HintSet>> {
        let placed = [("id", id)];
        let arguments = Arguments { placed, named };
        object(py, HintSet(self.call(py, &arguments, Nudge::accept)?))
    }

    /// Drops a proposal.
    ///
    /// The answer has it once more. Raises `NotFoundError` when it does not wait.
    ///
    ///     >>> _ = store.propose("api", "test", "make test", why="it worked")
    ///     >>> store.reject(1).proposal.why
    ///     'it worked'
    #[pyo3(
        signature = (id=Arg::Missing, **named),
        text_signature = "($self, id)"
    )]
    fn reject<'py>(
        &self,
        py: Python<'py>,
        id: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, Proposed>> {
        let placed = [("id", id)];
        let arguments = Arguments { placed, named };
        object(py, Proposed(self.call(py, &arguments, Nudge::reject)?))
    }
}
