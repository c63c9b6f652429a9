//! Proposals: hints that wait for somebody to accept them, and are never served before.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::api::answer::HintSet;
use crate::api::proposals::{Accept, Propose, Proposed, Reject};
use crate::api::set_hint::{MetaPatch, SetHint};
use crate::hint::origin::who;
use crate::hint::proposal::Proposal;
use crate::hint::{Hint, HintMeta, Source};
use crate::model::error::{Error, ErrorData, ErrorKind};
use crate::model::name::Name;
use crate::store::Store;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;
use crate::write::validate::check_reason;

/// How many may wait; the oldest go.
pub(crate) const MOST: usize = 50;

impl Propose {
    /// The change that lets the hint wait.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Proposed), Error> {
        check_reason(&self.why, "why", on.config)?;
        let mut set = SetHint::new(self.component, self.key, self.value);
        set.meta = self.meta;
        let origin = on.origin();
        on.stamp(&mut set.meta, origin.as_ref());
        let (changes, set) = set.plan_as(on, origin, Some(self.why))?;
        let proposal = set.proposal.ok_or_else(known)?;
        Ok((changes, Proposed { proposal }))
    }
}

impl Accept {
    /// The changes that set the hint of the proposal as the user's own.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let proposal = on.proposal(self.id)?;
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
        let mut set = SetHint::new(component, key, hint.value.clone());
        set.meta = MetaPatch::to(&meta);
        let origin = meta.origin.map(|origin| *origin);
        let (changes, answer) = set.plan_as(on, origin, None)?;
        let dismissed = ChangeKind::dismiss(proposal);
        Ok((std::iter::once(dismissed).chain(changes).collect(), answer))
    }
}

impl Reject {
    /// The change that drops the proposal.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Proposed), Error> {
        let proposal = on.proposal(self.id)?.clone();
        Ok((vec![ChangeKind::dismiss(&proposal)], Proposed { proposal }))
    }
}

impl<'a> WriteContext<'a> {
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
    ) -> (Vec<ChangeKind>, HintSet) {
        let is_known = before.is_some_and(|before| adds_nothing(&hint, before));
        let (changes, proposal) = if is_known {
            (Vec::new(), None)
        } else {
            let names = (component.clone(), key.clone());
            let mut waiting = Waiting::new(self.store);
            let proposal = waiting.add(names, Arc::clone(&hint), why);
            (waiting.changes, Some(proposal))
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
}

/// The proposals that wait, as a plan changes them.
pub(crate) struct Waiting {
    proposals: VecDeque<Proposal>,
    next: u64,
    pub(crate) changes: Vec<ChangeKind>,
}

impl Waiting {
    pub(crate) fn new(store: &Store) -> Waiting {
        Waiting {
            proposals: store.proposals().cloned().collect(),
            next: store.next_proposal(),
            changes: Vec::new(),
        }
    }

    /// Lets the oldest go until so many are left.
    pub(crate) fn trim(&mut self, most: usize) {
        let spare = self.proposals.len().saturating_sub(most);
        let oldest = self.proposals.drain(..spare);
        self.changes
            .extend(oldest.map(|old| ChangeKind::dismiss(&old)));
    }

    /// Lets a hint wait. One that waits already waits once.
    pub(crate) fn add(
        &mut self,
        (component, key): (Name, Name),
        hint: Arc<Hint>,
        why: Box<str>,
    ) -> Proposal {
        let is_same = |waiting: &&Proposal| {
            waiting.component == component
                && waiting.key == key
                && waiting.hint.value == hint.value
                && waiting.hint.meta.scope == hint.meta.scope
        };
        if let Some(waiting) = self.proposals.iter().find(is_same) {
            return waiting.clone();
        }
        let proposal = Proposal {
            id: self.next,
            component,
            key,
            hint,
            why,
        };
        self.next = self.next.saturating_add(1);
        self.trim(MOST - 1);
        self.proposals.push_back(proposal.clone());
        self.changes.push(ChangeKind::Propose(proposal.clone()));
        proposal
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
        |by| who(&by.via, by.client.as_ref()),
    );
    Some(format!("{by} would overwrite what the user has set").into())
}

/// Whether a hint says no more than the one that stands, whoever says it.
pub(crate) fn adds_nothing(hint: &Hint, known: &Hint) -> bool {
    let meta = |hint: &Hint| HintMeta {
        origin: None,
        source: None,
        added_by: None,
        ..hint.meta.clone()
    };
    hint.value == known.value && meta(hint) == meta(known)
}
