//! `on_event` in Python: what follows from what an agent does.

use nudge::Nudge;
use pyo3::prelude::*;

use crate::answer::object;
use crate::answers::Reaction;
use crate::arguments::{Arg, Arguments};
use crate::store::{Named, Store};

#[pymethods]
impl Store {
    /// Takes an event of a program that runs an agent, and says what the agent should be told.
    ///
    /// `event` is `"session_start"`, `"before_command"`, `"after_command"` or
    /// `"session_end"`; nothing follows from any other. `host` and `session` say whose
    /// it is, `reason` why a session starts, `command`, `ok` or `exit_code` and
    /// `output` what was run and how it ended. What cannot be read counts as absent.
    ///
    /// A command that equals a hint counts as a use of it or as a failure; what failed
    /// and then worked in another form is proposed. Raises `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> here = Context(cwd="/work/api")
    ///     >>> store.on_event("before_command", command="ninja", context=here).text
    ///     'Nudge: api/build here is "make" (set by the user)'
    ///     >>> store.on_event("after_command", command="make", exit_code=0, context=here).did
    ///     [{'bumped': 'api/build'}]
    #[pyo3(
        signature = (event=Arg::Missing, **named),
        text_signature = "($self, event, *, host=None, session=None, reason=None, command=None, ok=None, exit_code=None, output=None, budget=None, context=None)"
    )]
    fn on_event<'py>(
        &self,
        py: Python<'py>,
        event: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, Reaction>> {
        let placed = [("event", event)];
        let arguments = Arguments { placed, named };
        object(py, Reaction(self.call(py, &arguments, Nudge::on_event)?))
    }
}
