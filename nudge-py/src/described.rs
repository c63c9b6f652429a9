//! How a part of an answer is made that is an answer itself, and which `repr` may show.

use std::any::Any;
use std::sync::Arc;

use nudge::HintValue;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::answer::{View, object};
use crate::answer_classes::{Hint, MatchExplain, Proposal, Ranked};
use crate::answers::value;

/// A part of an answer that is there, or not.
pub(crate) type Part<'py> = PyResult<Option<Bound<'py, PyAny>>>;

/// What has an object of its own in Python.
pub(crate) trait Own {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py>;
}

fn answer<V: View>(py: Python<'_>, view: V) -> Part<'_> {
    Ok(Some(object(py, view)?.into_any()))
}

impl Own for HintValue {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        value(py, self).map(Some)
    }
}

impl Own for Arc<nudge::Hint> {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        answer(py, Hint(Arc::clone(self)))
    }
}

impl Own for nudge::MatchExplain {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        answer(py, MatchExplain(self.clone()))
    }
}

impl Own for nudge::Ranked {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        answer(py, Ranked(self.clone()))
    }
}

impl Own for nudge::Proposal {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        answer(py, Proposal(self.clone()))
    }
}

impl<T: Own> Own for Option<T> {
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        self.as_ref().map_or(Ok(None), |one| one.own(py))
    }
}

impl<T: Own> Own for Vec<T> {
    /// An empty one is left to `Serialize`, which may leave it out.
    fn own<'py>(&self, py: Python<'py>) -> Part<'py> {
        if self.is_empty() {
            return Ok(None);
        }
        let objects: Vec<_> = self
            .iter()
            .map(|one| one.own(py))
            .collect::<PyResult<_>>()?;
        Ok(Some(PyList::new(py, objects)?.into_any()))
    }
}

/// The part as an object of its own.
pub(crate) fn part<'py>(py: Python<'py>, part: &impl Own) -> Part<'py> {
    part.own(py)
}

/// The only one as it is, several as a list.
pub(crate) fn one_or_list<'py, T: Own>(py: Python<'py>, parts: &Vec<T>) -> Part<'py> {
    match &**parts {
        [one] => one.own(py),
        _ => parts.own(py),
    }
}

/// Whether `repr` may show the part of this name.
///
/// A payload may hold what is marked as secret.
pub(crate) fn shows(answer: &dyn Any, name: &str) -> bool {
    match answer.downcast_ref::<Arc<nudge::Hint>>() {
        Some(hint) => !(hint.is_secret() && ["value", "meta"].contains(&name)),
        None => !(answer.is::<nudge::Exported>() && name == "payload"),
    }
}
