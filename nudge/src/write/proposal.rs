//! Proposals: hints that wait for somebody to accept them, and are never served before.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::api::answer::HintSet;
use crate::api::set_hint::{MetaPatch, SetHint};
use crate::hint::origin::Origin;
use crate::hint::{Hint, HintMeta, HintValue, Source};
use crate::model::error::{Error, ErrorData, ErrorKind};
use crate::model::name::Name;
use crate::model::object;
use crate::nudge::Nudge;
use crate::rank::explain::who;
use crate::store::change::Change;
use crate::write::plan::Desk;
use crate::write::validate::check_reason;

/// How many may wait; the oldest go.
const MOST: usize = 50;

/// A hint that waits for somebody to accept it.
///
/// # Examples
///
/// An agent cannot overwrite what the user has set:
///
/// ```
/// use nudge::{Accept, GetHint, Nudge, SetHint, Source};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// let set = nudge.set_hint(SetHint::new("api", "build", "cmake").source(Source::Agent))?;
/// let proposal = set.proposal.unwrap();
/// assert_eq!(nudge.get_hint(GetHint::new("api", "build"))?.hint.value.text(), "make");
///
/// nudge.accept(Accept::new(proposal.id))?;
/// assert_eq!(nudge.get_hint(GetHint::new("api", "build"))?.hint.value.text(), "cmake");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proposal {
    /// By which it is accepted or rejected; from 1.
    pub id: u64,
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint as it would be.
    pub hint: Arc<Hint>,
    /// Why it is only proposed.
    pub why: Box<str>,
}

/// Asks for a hint to be proposed instead of set.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, Propose, SetHint};
///
/// let nudge = Nudge::default();
/// let hint = SetHint::new("api", "test", "make test JOBS=1");
/// let proposed = nudge.propose(Propose::new(hint, "failed as `make test`"))?;
/// assert_eq!(proposed.proposal.id, 1);
/// assert_eq!(nudge.stats().hints, 0);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Propose {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The value.
    pub value: HintValue,
    /// What is known about it.
    #[serde(
        default,
        deserialize_with = "object::or_default",
        skip_serializing_if = "MetaPatch::is_empty"
    )]
    pub meta: MetaPatch,
    /// Why it is proposed.
    pub why: Box<str>,
    /// Who asks, as the door says; JSON has no word for it.
    #[serde(skip)]
    pub origin: Option<Box<Origin>>,
}

/// Asks for a proposal to be set, or to be dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accept {
    /// The proposal.
    pub id: u64,
    /// Who asks, as the door says; JSON has no word for it.
    #[serde(skip)]
    pub origin: Option<Box<Origin>>,
}

/// Asks which proposals wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListProposals {}

/// A proposal that waits now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proposed {
    /// The proposal.
    pub proposal: Proposal,
}

/// The proposals that wait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proposals {
    /// Each of them, the oldest first.
    pub proposals: Vec<Proposal>,
}

impl Propose {
    /// Proposes a hint, and says why.
    pub fn new(hint: SetHint, why: impl Into<Box<str>>) -> Propose {
        Propose {
            component: hint.component,
            key: hint.key,
            value: hint.value,
            meta: hint.meta,
            why: why.into(),
            origin: hint.origin,
        }
    }
}

// Nobody has looked yet whether the reason is a secret.
impl fmt::Debug for Propose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Propose")
            .field("component", &self.component)
            .field("key", &self.key)
            .field("value", &self.value)
            .field("meta", &self.meta)
            .finish_non_exhaustive()
    }
}

impl Accept {
    /// Means a proposal by its number.
    #[must_use]
    pub fn new(id: u64) -> Accept {
        Accept { id, origin: None }
    }
}

/// Proposals.
impl Nudge {
    /// Proposes a hint: it is never served until it is accepted.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ErrorKind, Nudge, Propose, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let known = Propose::new(SetHint::new("api", "build", "make"), "it worked");
    /// assert_eq!(nudge.propose(known).unwrap_err().kind(), ErrorKind::Conflict);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn propose(&self, request: Propose) -> Result<Proposed, Error> {
        check_reason(&request.why, "why", &self.config)?;
        let set = SetHint {
            component: request.component,
            key: request.key,
            value: request.value,
            meta: request.meta,
            if_match_version: None,
            origin: request.origin,
        };
        self.write(set.origin.clone(), |desk| {
            let (changes, set) = set.plan_as(desk, Some(request.why))?;
            let proposal = set.proposal.ok_or_else(known)?;
            Ok((changes, Proposed { proposal }))
        })
    }

    /// Lists the proposals that wait.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ListProposals, Nudge};
    ///
    /// assert!(Nudge::default().list_proposals(ListProposals {})?.proposals.is_empty());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn list_proposals(&self, _: ListProposals) -> Result<Proposals, Error> {
        let proposals = self.read().proposals().cloned().collect();
        Ok(Proposals { proposals })
    }

    /// Sets the hint of a proposal, as the user's own.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Accept, Nudge, Propose, SetHint, Source};
    ///
    /// let nudge = Nudge::default();
    /// let hint = SetHint::new("api", "build", "make").source(Source::Agent);
    /// let id = nudge.propose(Propose::new(hint, "it worked"))?.proposal.id;
    /// let set = nudge.accept(Accept::new(id))?;
    /// assert_eq!(set.hint.meta.source, Some(Source::User));
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn accept(&self, request: Accept) -> Result<HintSet, Error> {
        self.write(request.origin, |desk| {
            let proposal = desk.proposal(request.id)?;
            let Proposal {
                component,
                key,
                hint,
                ..
            } = proposal.clone();
            let meta = HintMeta {
                source: Some(Source::User),
                ..hint.meta.clone()
            };
            let set = SetHint {
                component,
                key,
                value: hint.value.clone(),
                origin: meta.origin.clone(),
                meta: MetaPatch::to(&meta),
                if_match_version: None,
            };
            let (changes, answer) = set.plan_as(desk, None)?;
            let dismissed = Change::dismiss(desk.now, proposal);
            Ok((std::iter::once(dismissed).chain(changes).collect(), answer))
        })
    }

    /// Drops a proposal.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Accept, ErrorKind, Nudge};
    ///
    /// let error = Nudge::default().reject(Accept::new(7)).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// ```
    pub fn reject(&self, request: Accept) -> Result<Proposed, Error> {
        self.write(request.origin, |desk| {
            let proposal = desk.proposal(request.id)?.clone();
            Ok((
                vec![Change::dismiss(desk.now, &proposal)],
                Proposed { proposal },
            ))
        })
    }
}

impl<'a> Desk<'a> {
    fn proposal(&self, id: u64) -> Result<&'a Proposal, Error> {
        let mut waiting = self.store.proposals();
        waiting.find(|proposal| proposal.id == id).ok_or_else(|| {
            let data = ErrorData {
                detail: Some("no_proposal"),
                field: Some("id".into()),
                ..ErrorData::default()
            };
            let words = format!("no proposal {id} waits; list the proposals to see which do");
            Error::with(ErrorKind::NotFound, words, data)
        })
    }

    /// Lets a hint wait that was to be set where `before` stands, and says what
    /// stands. One that says no more than that does not wait.
    pub(crate) fn propose_instead(
        &self,
        (component, key): (Name, Name),
        hint: Arc<Hint>,
        why: Box<str>,
        (before, variants): (Option<&Arc<Hint>>, usize),
    ) -> (Vec<Change>, HintSet) {
        let is_known = before.is_some_and(|before| adds_nothing(&hint, before));
        let (changes, proposal) = if is_known {
            (Vec::new(), None)
        } else {
            let names = (component.clone(), key.clone());
            let (changes, proposal) = self.propose(names, Arc::clone(&hint), why);
            (changes, Some(proposal))
        };
        let set = HintSet {
            component,
            key,
            hint: before.map_or(hint, Arc::clone),
            created: false,
            variants,
            proposal,
        };
        (changes, set)
    }

    /// Lets a hint wait. One that waits already waits once.
    fn propose(
        &self,
        (component, key): (Name, Name),
        hint: Arc<Hint>,
        why: Box<str>,
    ) -> (Vec<Change>, Proposal) {
        let is_same = |waiting: &&Proposal| {
            waiting.component == component
                && waiting.key == key
                && waiting.hint.value == hint.value
                && waiting.hint.meta.scope == hint.meta.scope
        };
        if let Some(waiting) = self.store.proposals().find(is_same) {
            return (Vec::new(), waiting.clone());
        }
        let proposal = Proposal {
            id: self.store.next_proposal(),
            component,
            key,
            hint,
            why,
        };
        let spare = (self.store.proposals().count() + 1).saturating_sub(MOST);
        let oldest = self.store.proposals().take(spare);
        let mut changes: Vec<Change> = oldest.map(|old| Change::dismiss(self.now, old)).collect();
        changes.push(Change::propose(self.now, &proposal));
        (changes, proposal)
    }
}

/// The refusal of a proposal that nobody needs to accept.
fn known() -> Error {
    let data = ErrorData {
        detail: Some("known"),
        ..ErrorData::default()
    };
    let words = "the hint says this already; there is nothing to propose";
    Error::with(ErrorKind::Conflict, words, data)
}

/// Why a set is only a proposal: a program must not overwrite what the user said.
pub(crate) fn overwrites_user(before: &Hint, hint: &Hint) -> Option<Box<str>> {
    // Whatever does not speak for the user is a program, also one that imports.
    let is_users = |hint: &Hint| hint.meta.source == Some(Source::User);
    if !is_users(before) || is_users(hint) {
        return None;
    }
    let by = hint.meta.origin.as_ref();
    let by = by.map_or_else(
        || "a program".to_owned(),
        |by| who(&by.door, by.client.as_ref()),
    );
    Some(format!("{by} would overwrite what the user has set").into())
}

/// Whether a hint says no more than the one that stands, whoever says it.
fn adds_nothing(hint: &Hint, known: &Hint) -> bool {
    let meta = |hint: &Hint| HintMeta {
        origin: None,
        source: None,
        added_by: None,
        ..hint.meta.clone()
    };
    hint.value == known.value && meta(hint) == meta(known)
}
