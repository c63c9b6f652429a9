//! The store behind `nudge.Nudge`, which has the methods, their types and their words.

use std::sync::{Arc, PoisonError, RwLock};

use nudge::fork_lock::CallUnderWay;
use nudge::{Error, GetHint, GetStats, HintValue, Nudge, Operation, Speaker, from_json};
use nudge_client::{AnyStore, SharedStore};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answers::answer;
use crate::context::Context;
use crate::error::{Failure, guarded, raise};
use crate::json::{self, Place, unicode};

/// A store as compiled code; use `nudge.Nudge`.
#[pyclass(frozen, module = "nudge._nudge")]
pub(crate) struct Store {
    /// None once this handle is closed; others may have the same store.
    store: RwLock<Option<AnyStore>>,
}

/// Asks for what the core has a type for, and gives the answer that type's class in Python.
macro_rules! typed {
    ($self:ident, $py:ident, $operation:ident, $json:ident, [$($Request:ident)*]) => {
        match $operation {
            $(Operation::$Request => $self.typed::<nudge::$Request>($py, $json),)*
            Operation::OnEvent => $self.typed::<nudge::Event>($py, $json),
            other => $self.plain($py, other.name(), $json),
        }
    };
}

/// The arguments of a call as what the core reads.
fn read<T: DeserializeOwned>(py: Python<'_>, json: &[u8]) -> PyResult<T> {
    let read = guarded(|| from_json(json)).and_then(|read| read);
    read.map_err(|error| raise(py, &error))
}

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

    fn typed<'py, Q>(&self, py: Python<'py>, json: &[u8]) -> PyResult<Bound<'py, PyAny>>
    where
        Q: Serialize + nudge::Request<Nudge, Answer: DeserializeOwned + Send> + Send,
    {
        let request: Q = read(py, json)?;
        answer(py, &self.ask(py, |store| store.ask(request))?)
    }

    /// The answer to a call by its name, as plain dicts.
    fn plain<'py>(&self, py: Python<'py>, name: &str, json: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let told = self.ask(py, |store| store.call_named(None, name, json))?;
        let told: serde_json::Value = read(py, told.as_bytes())?;
        answer(py, &told)
    }

    /// A get whose arguments need no reading. The interpreter is kept: a get is so short that two
    /// threads which hand it over at every call get a third as much done. The store is waited for
    /// while another thread changes it, which needs no interpreter. One that forks does, so that is
    /// not waited for here.
    fn quick<'py>(
        &self,
        slot: [&Bound<'py, PyAny>; 2],
        context: &Bound<'py, PyAny>,
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        let [component, key] = slot.map(|name| name.extract::<&str>().ok());
        let mut request = GetHint::new(component?, key?);
        if !context.is_none() {
            request = request.context(context.cast::<Context>().ok()?.get().0.clone());
        }
        if self.is_shared() {
            return None;
        }
        let call = CallUnderWay::try_begin()?;
        let found = self.run(|store| store.ask(request));
        drop(call);
        let py = context.py();
        let found = found.map_err(|failure| failure.raise(py));
        Some(found.and_then(|found| answer(py, &found)))
    }
}

#[pymethods]
impl Store {
    #[new]
    fn new(py: Python<'_>, config: &Bound<'_, PyDict>) -> PyResult<Store> {
        let config = read(py, &json::object(config)?)?;
        let made = guarded(|| Nudge::new(config)).map_err(|error| raise(py, &error))?;
        let made = AnyStore::Own(Arc::new(made), Speaker::default());
        Ok(Store::holding(made))
    }

    /// Joins the session of this machine.
    #[staticmethod]
    fn connect(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Store> {
        let options = read(py, &json::object(options)?)?;
        let join = || {
            let _call = CallUnderWay::begin();
            guarded(|| SharedStore::connect(options)).and_then(|joined| joined)
        };
        let joined = py.detach(join).map_err(|error| raise(py, &error))?;
        Ok(Store::holding(AnyStore::Shared(joined)))
    }

    /// Does an operation by its name.
    fn call<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        params: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let json = &*json::object(params)?;
        let Some(operation) = Operation::named(name) else {
            return self.plain(py, name, json);
        };
        typed!(self, py, operation, json, [
            SetHint GetHint Query DeleteHint ListComponents Bump Export Import SetContext GetContext
            Propose ListProposals Accept Reject PromptBlock GetStats
        ])
    }

    /// Finds a hint.
    fn get<'py>(
        &self,
        component: &Bound<'py, PyAny>,
        key: &Bound<'py, PyAny>,
        context: &Bound<'py, PyAny>,
        alternatives: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let quick = alternatives.is_none();
        if let Some(found) = quick
            .then(|| self.quick([component, key], context))
            .flatten()
        {
            return found;
        }
        let params = PyDict::new(context.py());
        params.set_item("component", component)?;
        params.set_item("key", key)?;
        params.set_item("context", context)?;
        params.set_item("alternatives", alternatives)?;
        self.typed::<GetHint>(context.py(), &json::object(&params)?)
    }

    /// Removes expired hints and gives the count.
    fn sweep(&self, py: Python<'_>) -> PyResult<usize> {
        self.ask(py, AnyStore::sweep)
    }

    /// Stops the clock at a time, or lets it run again.
    fn pin_clock(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<()> {
        let place = Place::field("at");
        let at = match at.cast::<PyString>() {
            Ok(at) => Some(unicode(at, place)?.to_owned()),
            Err(_) if at.is_none() => None,
            Err(_) => return Err(place.refuse(py, "this is not a time; give a string or None")),
        };
        self.ask(py, |store| store.own()?.pin_clock(at.as_deref()))
    }

    /// The facts of this process, with the variables that scopes mention.
    fn here(&self, py: Python<'_>, facts: &Bound<'_, PyDict>) -> PyResult<Context> {
        let stated = Context::stated(py, "Nudge.here", Some(facts))?;
        let here = self.ask(py, |store| Ok(stated.filled_in(store.env_names())));
        here.map(Context)
    }

    /// What exports call the session.
    fn session_id(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |store| Ok(store.own()?.session_id().to_owned()))
    }

    /// Whether its answers come from another process, and take their time.
    fn is_shared(&self) -> bool {
        let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
        matches!(&*store, Some(AnyStore::Shared(_)))
    }

    /// The same store for another caller.
    fn speaking_as(&self, py: Python<'_>, caller: &Bound<'_, PyDict>) -> PyResult<Store> {
        let speaker = read(py, &json::object(caller)?)?;
        self.ask(py, |store| store.speaking_as(speaker))
            .map(Store::holding)
    }

    /// Ends this handle.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let _call = CallUnderWay::begin();
            let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
            let _ended = store.take();
        });
    }

    /// Refuses a store that is closed.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, |_| Ok(()))
    }

    /// How many components and hints there are.
    fn counts(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        let stats = self.ask(py, |store| store.ask(GetStats {}))?;
        Ok((stats.components, stats.hints))
    }
}

/// The text a person means by a value: the command line, the path, the body.
#[pyfunction]
pub(crate) fn text_of(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut json = Vec::new();
    json::write(&mut json, value.as_borrowed(), Place::field("value"))?;
    let value = serde_json::from_slice::<HintValue>(&json);
    let value = value.map_err(|error| Place::field("value").refuse(py, &error.to_string()))?;
    Ok(value.text().into_owned())
}
