//! The classes of answers, with an attribute for each part.

use std::sync::Arc;

use nudge::HintValue;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pythonize::pythonize;

use crate::answer::{Answer, Parts, View, written};

/// Defines the classes. An attribute gives the part of its name, and `None`
/// when there is none.
macro_rules! answers {
    ($(
        $(#[$about:meta])*
        $name:ident($core:ty) {
            $($(#[$doc:meta])* $part:ident,)*
        }
        $({ $($more:tt)* })?
    )*) => {
        $(
            $(#[$about])*
            #[pyclass(frozen, extends = Answer, module = "nudge")]
            pub(crate) struct $name(pub(crate) $core);

            #[pymethods]
            impl $name {
                $(
                    $(#[$doc])*
                    #[getter]
                    fn $part<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                        self.0.part(py, stringify!($part))
                    }
                )*
                $($($more)*)?
            }

            impl View for $name {
                type Core = $core;

                fn core(&self) -> &$core {
                    &self.0
                }
            }
        )*

        pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_class::<$name>()?;)*
            Ok(())
        }
    };
}

answers! {
    /// One stored fact: a value, what is known about it, and its history.
    Hint(Arc<nudge::Hint>) {
        /// What is known about it, as a dict.
        meta,
        /// From 1; rises by one with every set of this variant.
        version,
        /// When this variant was first set, as RFC 3339 has it.
        created_at,
        /// When it was last set; its time to live counts from here.
        updated_at,
        /// When it was last bumped; `None` if it never was.
        last_used_at,
        /// How often it was bumped since its value last changed.
        use_count,
        /// When it failed for the first time; `None` if it never did.
        first_failed_at,
        /// When it last failed; `None` if it never did.
        last_failed_at,
    }
    {
        /// How often it failed since its value last changed.
        #[getter]
        fn fail_count(&self) -> u64 {
            self.0.fail_count
        }

        /// The fact itself: a string, or a dict with a `type`.
        #[getter]
        fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            value(py, &self.0.value)
        }

        /// The text a person means by the value: the command line, the path, the body.
        #[getter]
        fn text(&self) -> String {
            self.0.value.text().into_owned()
        }
    }

    /// Why a hint was returned: its score, its terms, and the reasons in words.
    MatchExplain(nudge::MatchExplain) {
        /// Whether the scope matched.
        matched,
        /// From 0 to 1, with four decimals.
        score,
        /// The reasons, a sentence each.
        reasons,
        /// The terms that add up to the score.
        parts,
    }

    /// What a set did.
    HintSet(nudge::HintSet) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint as it is now.
        hint,
        /// Whether the variant is new.
        created,
        /// How many variants the slot holds.
        variants,
        /// What the set became where the user's word stands against it; `None` otherwise.
        proposal,
    }

    /// The hint that fits best, and why.
    HintMatch(nudge::HintMatch) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint.
        hint,
        /// Why it was chosen.
        match_explain,
        /// The next ones; `None` if there are none or they were not asked for.
        alternatives,
    }
    {
        /// The value of the hint.
        #[getter]
        fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            value(py, &self.0.hint.value)
        }

        /// The text a person means by the value: the command line, the path, the body.
        #[getter]
        fn text(&self) -> String {
            self.0.hint.value.text().into_owned()
        }
    }

    /// One of several hints, with its score.
    Ranked(nudge::Ranked) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint.
        hint,
        /// From 0 to 1, with four decimals.
        score,
        /// Why it is there.
        match_explain,
    }
    {
        /// The value of the hint.
        #[getter]
        fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            value(py, &self.0.hint.value)
        }

        /// The text a person means by the value: the command line, the path, the body.
        #[getter]
        fn text(&self) -> String {
            self.0.hint.value.text().into_owned()
        }
    }

    /// What a query found.
    Found(nudge::Found) {
        /// The best ones, up to the limit.
        hints,
        /// How many are eligible and fit the filters.
        total,
        /// How many fit the filters but are out of scope.
        scoped_out,
        /// Those, without their values; `None` if they were not asked for.
        ineligible,
    }

    /// What a delete took away.
    Deleted(nudge::Deleted) {
        /// The component.
        component,
        /// The key.
        key,
        /// Always true: a delete that finds nothing raises.
        deleted,
        /// What was there: one hint, or a list when several went.
        previous,
    }

    /// The hint after a bump.
    Bumped(nudge::Bumped) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint as it is now.
        hint,
    }

    /// The components of a store.
    Components(nudge::Components) {
        /// One entry for each, sorted by name.
        components,
    }

    /// An export.
    Exported(nudge::Exported) {
        /// The hints, ready for `json.dumps` or `import_`.
        payload,
        /// How many hints were left out because they are marked as secret.
        secrets_left_out,
    }

    /// What an import did, or would do.
    Imported(nudge::Imported) {
        /// How many hints were taken over.
        imported,
        /// How many were not: bad, expired, equal to or older than what is there.
        skipped,
        /// What is wrong with the first 20 bad ones.
        problems,
    }

    /// What is being worked on.
    ContextSets(nudge::ContextSets) {
        /// The items of each set, the newest last.
        sets,
        /// What had to go to make room; `None` if nothing had to.
        dropped,
        /// The known name that a new one is like; `None` if there is none.
        nearest,
        /// How many files no longer exist, and are not listed; `None` if all do.
        gone,
    }

    /// A hint that waits for somebody to accept it.
    Proposal(nudge::Proposal) {
        /// By which it is accepted or rejected; from 1.
        id,
        /// The component.
        component,
        /// The key.
        key,
        /// The hint as it would be.
        hint,
        /// Why it is only proposed.
        why,
    }

    /// A proposal that waits, or that was rejected.
    Proposed(nudge::Proposed) {
        /// The proposal.
        proposal,
    }

    /// The proposals that wait.
    Proposals(nudge::Proposals) {
        /// Each of them, the oldest first.
        proposals,
    }

    /// What follows from an event; mostly nothing.
    Reaction(nudge::Reaction) {
        /// What the agent should be told; `None` when nothing.
        text,
    }
    {
        /// What was done besides, each as a dict such as `{"bumped": "api/build"}`.
        #[getter]
        fn did<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            written(py, || pythonize(py, &self.0.did))
        }
    }
}

/// A value as Python has it. Most are text, and need no detour.
pub(crate) fn value<'py>(py: Python<'py>, value: &HintValue) -> PyResult<Bound<'py, PyAny>> {
    match value.as_str() {
        Some(text) => Ok(PyString::new(py, text).into_any()),
        None => written(py, || pythonize(py, value)),
    }
}
