//! `Nudge` in Python: how it is made, asked and closed; `operations.rs` has most methods.

use std::sync::{Arc, PoisonError, RwLock};

use nudge::fork_lock::CallUnderWay;
use nudge::{Error, GetHint, GetStats, Nudge, Speaker};
use nudge_client::{AnyStore, SharedStore};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::object;
use crate::answer_classes::HintMatch;
use crate::arguments::{Arg, Arguments, Request};
use crate::context::Context;
use crate::error::{Failure, guarded, is_miss, raise};
use crate::json::{Place, unicode};

/// A store of hints, kept in memory and shared by all threads.
///
/// All arguments are optional: `limits`, a dict of `components`,
/// `hints_per_component`, `hints`, `value_bytes` and `bytes`; `secret_guard`, whether what
/// looks like a credential is refused; `default_ttl`, for hints that state none; `keep`, whether
/// hints may outlive the session, because the program stores them; `in_container`;
/// `weights`, by which hints are scored; `session_id`. Raises `InvalidError`.
///
/// `len(store)` is how many hints there are. Of a call with an argument too few or too many
/// Python says so with a `TypeError`, as ever. Where a list of words is due a set will do, and
/// a lone tag; where text is due a `Path` will do; `ttl` may be a `timedelta`.
///
/// End it with `close()` or `with`; a call after that raises `InvalidError`.
/// It can be neither pickled nor copied, but a forked process has its own copy.
///
///     >>> with Nudge(limits={"hints": 100}) as store:
///     ...     _ = store.set_hint("api", "build", "make")
///     ...     store.get_hint("api", "build").value
///     'make'
#[pyclass(frozen, module = "nudge", name = "Nudge")]
pub(crate) struct Store {
    /// None once this handle is closed; others may have the same store.
    store: RwLock<Option<AnyStore>>,
}

/// The keywords of a call.
pub(crate) type Named<'a, 'py> = &'a Bound<'py, PyDict>;

impl Store {
    /// Asks the store for something, with the interpreter released: a thread that
    /// waits for the store must not hold what the one ahead of it needs.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        operation: impl FnOnce(&AnyStore) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let run = || {
            let _call = CallUnderWay::begin();
            self.run(operation)
        };
        py.detach(run).map_err(|failure| failure.raise(py))
    }

    fn run<T>(&self, operation: impl FnOnce(&AnyStore) -> Result<T, Error>) -> Result<T, Failure> {
        let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
        let store = store.as_ref().ok_or(Failure::Closed)?;
        Ok(guarded(|| operation(store))??)
    }

    fn holding(store: AnyStore) -> Store {
        Store {
            store: RwLock::new(Some(store)),
        }
    }

    /// Whether its answers come from another process, and take their time.
    fn is_shared(&self) -> bool {
        let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
        matches!(&*store, Some(AnyStore::Shared(_)))
    }

    /// Python in, an answer of the core out.
    pub(crate) fn call<Q, const N: usize>(
        &self,
        py: Python<'_>,
        arguments: &Arguments<'_, '_, N>,
    ) -> PyResult<Q::Answer>
    where
        Q: Request + Serialize + nudge::Request<Nudge, Answer: DeserializeOwned + Send> + Send,
    {
        let request: Q = arguments.request(py)?;
        self.ask(py, |store| store.ask(request))
    }
}

#[pymethods]
impl Store {
    #[new]
    #[pyo3(
        signature = (**config),
        text_signature = "(*, limits=None, secret_guard=True, default_ttl='kept', keep=False, in_container=False, weights=None, session_id=None)"
    )]
    fn new(py: Python<'_>, config: Option<Named<'_, '_>>) -> PyResult<Store> {
        let arguments = Arguments {
            call: "Nudge",
            placed: [],
            named: config,
        };
        let config = arguments.request(py)?;
        let made = guarded(|| Nudge::new(config)).map_err(|error| raise(py, &error))?;
        Ok(Store::holding(AnyStore::Own(
            Arc::new(made),
            Speaker::default(),
        )))
    }

    /// Joins the session of this machine; `nudge.connect` is for callers.
    #[staticmethod]
    #[pyo3(name = "_connect", signature = (**options), text_signature = "(**options)")]
    fn connect(py: Python<'_>, options: Option<Named<'_, '_>>) -> PyResult<Store> {
        let arguments = Arguments {
            call: "connect",
            placed: [],
            named: options,
        };
        let options = arguments.request(py)?;
        let join = || {
            let _call = CallUnderWay::begin();
            guarded(|| SharedStore::connect(options)).and_then(|joined| joined)
        };
        let joined = py.detach(join).map_err(|error| raise(py, &error))?;
        Ok(Store::holding(AnyStore::Shared(joined)))
    }

    /// Finds the hint of a slot that fits best where the caller is.
    ///
    /// `context` is a `Context`, or a dict of its facts; nothing is inferred.
    /// `alternatives` asks for up to 20 more that apply.
    ///
    /// Raises `NotFoundError` when there is no such slot, it has expired, or none of
    /// its hints applies there; `data["near_misses"]` then says what would.
    /// With a `default`, that is returned instead. Raises `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make", branch="dev")
    ///     >>> found = store.get_hint("api", "build", context=Context(branch="dev"))
    ///     >>> found.value, found.match_explain.reasons
    ///     ('make', ['branch=dev allowed'])
    ///     >>> store.get_hint("api", "test", default=None) is None
    ///     True
    #[pyo3(
        signature = (component=Arg::Missing, key=Arg::Missing, *, context=Arg::Missing, default=Arg::Missing, **named),
        text_signature = "($self, component, key, *, context=None, alternatives=None, default=...)"
    )]
    fn get_hint<'py>(
        &self,
        py: Python<'py>,
        component: Arg<'_, 'py>,
        key: Arg<'_, 'py>,
        context: Arg<'_, 'py>,
        default: Arg<'_, 'py>,
        named: Option<Named<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plain = (component.as_text(), key.as_text(), context.as_prepared());
        let plain = match (plain, named) {
            ((Some(component), Some(key), Some(context)), None) if !self.is_shared() => {
                let request = GetHint::new(component, key).context(context);
                CallUnderWay::try_begin().map(|call| (request, call))
            }
            _ => None,
        };
        let found = if let Some((request, call)) = plain {
            // The interpreter is kept: a get is so short that two threads which
            // hand it over at every call get a third as much done. The store is
            // waited for while another thread changes it, which needs no interpreter.
            // One that forks does, so that is not waited for here.
            let found = self.run(|store| store.ask(request));
            drop(call);
            found.map_err(|failure| failure.raise(py))
        } else {
            let call = "Nudge.get_hint";
            let placed = [("component", component), ("key", key), ("context", context)];
            let arguments = Arguments {
                call,
                placed,
                named,
            };
            self.call::<GetHint, _>(py, &arguments)
        };
        match (found, default) {
            (Ok(found), _) => Ok(object(py, HintMatch(found))?.into_any()),
            (Err(miss), Arg::Given(default)) if is_miss(py, &miss) => Ok(default.to_owned()),
            (Err(error), _) => Err(error),
        }
    }

    /// Removes expired hints and returns the count.
    ///
    /// No answer shows them in any case; this gives their memory back.
    ///
    ///     >>> store.sweep()
    ///     0
    fn sweep(&self, py: Python<'_>) -> PyResult<usize> {
        self.ask(py, AnyStore::sweep)
    }

    /// Stops the clock at a time, for tests and replay; `None` lets it run again.
    ///
    /// Time never runs backwards, so pin the clock before the first call. Raises
    /// `InvalidError`.
    ///
    ///     >>> store.pin_clock("2025-11-04T10:00:00Z")
    ///     >>> store.set_hint("api", "build", "make").hint.updated_at
    ///     '2025-11-04T10:00:00.000Z'
    fn pin_clock(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<()> {
        let place = Place::field("at");
        let at = match at.cast::<PyString>() {
            Ok(at) => Some(unicode(at, place)?.to_owned()),
            Err(_) if at.is_none() => None,
            Err(_) => return Err(place.refuse(py, "this is not a time; give a string or None")),
        };
        self.ask(py, |store| store.own()?.pin_clock(at.as_deref()))
    }

    /// Gathers the facts of this process, with the variables that scopes mention.
    ///
    /// As `Context.here()`: what is given stays as it is. Of the environment, only
    /// the names are read that some live hint asks for. Raises `InvalidError`.
    ///
    ///     >>> here = store.here(branch="dev")
    #[pyo3(
        signature = (**facts),
        text_signature = "($self, *, cwd=None, root=None, repo=None, branch=None, os=None, env=None, files_open=None)"
    )]
    fn here(&self, py: Python<'_>, facts: Option<Named<'_, '_>>) -> PyResult<Context> {
        let stated = Context::stated(py, "Nudge.here", facts)?;
        let here = self.ask(py, |store| Ok(stated.filled_in(store.env_names())));
        here.map(Context)
    }

    /// What exports call this session; made up unless it was given.
    #[getter]
    fn session_id(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |store| Ok(store.own()?.session_id().to_owned()))
    }

    /// Gives the same store to an agent: what is called on it, the agent calls.
    ///
    /// On a store that was made with `Nudge()` the user calls, who may do everything.
    /// What an agent sets says so, and where the user has set something it is only
    /// proposed; what is the user's alone raises `ForbiddenError`. `client` is the
    /// agent's program and `session` its session, as its host calls it. Closing one does
    /// not close the other. Raises `InvalidError`.
    ///
    ///     >>> agent = store.as_agent("my-bot/1")
    ///     >>> agent.set_hint("api", "build", "make").hint.meta["source"]
    ///     'agent'
    #[pyo3(
        signature = (client, session=Arg::Missing),
        text_signature = "($self, client, session=None)"
    )]
    fn as_agent(
        &self,
        py: Python<'_>,
        client: Arg<'_, '_>,
        session: Arg<'_, '_>,
    ) -> PyResult<Store> {
        let agent = PyString::intern(py, "agent");
        let agent = Arg::Given(agent.as_any().as_borrowed());
        self.as_caller(py, agent, client, session)
    }

    /// Gives the same store to any caller.
    ///
    /// `actor` is `"user"`, `"agent"`, `"hook"` for what tells what it saw an agent do,
    /// or `"program"`. Everything else is as for `as_agent`.
    ///
    ///     >>> host = store.as_caller("hook", "my-host/1")
    ///     >>> host.set_hint("api", "build", "make").hint.meta["source"]
    ///     'tool-output'
    #[pyo3(
        signature = (actor, client=Arg::Missing, session=Arg::Missing),
        text_signature = "($self, actor, client=None, session=None)"
    )]
    fn as_caller(
        &self,
        py: Python<'_>,
        actor: Arg<'_, '_>,
        client: Arg<'_, '_>,
        session: Arg<'_, '_>,
    ) -> PyResult<Store> {
        let placed = [("actor", actor), ("client", client), ("session", session)];
        let (call, named) = ("Nudge.as_caller", None);
        let arguments = Arguments {
            call,
            placed,
            named,
        };
        let speaker = arguments.request(py)?;
        self.ask(py, |store| store.speaking_as(speaker))
            .map(Store::holding)
    }

    /// Ends the store and gives its memory back; a second time does nothing.
    ///
    /// What `as_agent` and `as_caller` have given stays open, and the store with it.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let _call = CallUnderWay::begin();
            let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
            let _ended = store.take();
        });
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        slf.get().ask(slf.py(), |_| Ok(()))?;
        Ok(slf.clone())
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// How many hints there are.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.ask(py, |store| store.ask(GetStats {}))?.hints)
    }

    /// A store without hints is a store.
    #[expect(clippy::unused_self, reason = "Python calls it on a store")]
    fn __bool__(&self) -> bool {
        true
    }

    /// Never an error: a server that does not answer leaves the counts out.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = match self.session_id(py) {
            Ok(id) => format!("session_id={}", PyString::new(py, &id).repr()?),
            Err(_) if self.is_shared() => "shared".to_owned(),
            Err(_) => "closed".to_owned(),
        };
        let counts = self.ask(py, |store| store.ask(GetStats {}));
        let counts = counts.map_or_else(
            |_| String::new(),
            |stats| format!(", components={}, hints={}", stats.components, stats.hints),
        );
        Ok(format!("Nudge({name}{counts})"))
    }

    fn __reduce__(_slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a Nudge cannot be pickled or copied; import_() its export() into another one",
        ))
    }
}
