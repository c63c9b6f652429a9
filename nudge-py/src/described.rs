//! Which parts of an answer are answers themselves, and which `repr` may show.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::answer::{Described, View, object};
use crate::answers::{Hint, MatchExplain, Proposal, Ranked, value};

/// A part of an answer that is there, or not.
type Part<'py> = PyResult<Option<Bound<'py, PyAny>>>;

fn part<V: View>(py: Python<'_>, view: V) -> Part<'_> {
    Ok(Some(object(py, view)?.into_any()))
}

fn hint<'py>(py: Python<'py>, hint: &Arc<nudge::Hint>) -> Part<'py> {
    part(py, Hint(Arc::clone(hint)))
}

fn explain<'py>(py: Python<'py>, explain: &nudge::MatchExplain) -> Part<'py> {
    part(py, MatchExplain(explain.clone()))
}

fn ranked<'py>(py: Python<'py>, ranked: &[nudge::Ranked]) -> Part<'py> {
    let objects = ranked.iter().map(|one| object(py, Ranked(one.clone())));
    let objects: Vec<_> = objects.collect::<PyResult<_>>()?;
    Ok(Some(PyList::new(py, objects)?.into_any()))
}

impl Described for Arc<nudge::Hint> {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "value" => value(py, &self.value).map(Some),
            _ => Ok(None),
        }
    }

    fn shows(&self, name: &str) -> bool {
        !(self.is_secret() && ["value", "meta"].contains(&name))
    }
}

impl Described for nudge::MatchExplain {}

impl Described for nudge::HintSet {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "hint" => hint(py, &self.hint),
            "proposal" => match &self.proposal {
                Some(proposal) => part(py, Proposal(proposal.clone())),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

impl Described for nudge::HintMatch {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "hint" => hint(py, &self.hint),
            "match_explain" => explain(py, &self.match_explain),
            "alternatives" if !self.alternatives.is_empty() => ranked(py, &self.alternatives),
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Ranked {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "hint" => hint(py, &self.hint),
            "match_explain" => explain(py, &self.match_explain),
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Found {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "hints" => ranked(py, &self.hints),
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Deleted {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match (name, &*self.previous) {
            ("previous", [one]) => hint(py, one),
            ("previous", several) => {
                let hints = several.iter().map(|one| object(py, Hint(Arc::clone(one))));
                let hints: Vec<_> = hints.collect::<PyResult<_>>()?;
                Ok(Some(PyList::new(py, hints)?.into_any()))
            }
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Bumped {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "hint" => hint(py, &self.hint),
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Components {}

impl Described for nudge::Exported {
    /// A payload may hold what is marked as secret.
    fn shows(&self, name: &str) -> bool {
        name != "payload"
    }
}

impl Described for nudge::Imported {}

impl Described for nudge::ContextSets {}

impl Described for nudge::Reaction {}

impl Described for nudge::Proposal {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "hint" => hint(py, &self.hint),
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Proposed {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        match name {
            "proposal" => part(py, Proposal(self.proposal.clone())),
            _ => Ok(None),
        }
    }
}

impl Described for nudge::Proposals {
    fn own_part<'py>(&self, py: Python<'py>, name: &str) -> Part<'py> {
        if name != "proposals" {
            return Ok(None);
        }
        let proposals = self.proposals.iter();
        let proposals = proposals.map(|one| object(py, Proposal(one.clone())));
        let proposals: Vec<_> = proposals.collect::<PyResult<_>>()?;
        Ok(Some(PyList::new(py, proposals)?.into_any()))
    }
}
