//! Proposals: hints that wait for somebody to accept them, and are never served before.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::api::answer::HintSet;
use crate::api::payload::Offer;
use crate::api::proposals::{Accept, Propose, Proposed, Reject};
use crate::api::selector::DeleteHint;
use crate::api::set_hint::{MetaPatch, SetHint};
use crate::config::exceeded;
use crate::hint::proposal::Proposal;
use crate::hint::{Hint, HintMeta, Source};
use crate::model::error::{Error, ErrorKind};
use crate::model::fix::Fix;
use crate::model::host::known_by;
use crate::model::name::Name;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;
use crate::write::validate::{MAX_REASON_BYTES, check_said};

/// How many of one client may wait, its oldest go; and how many in all.
const MOST_OF_ONE: usize = 10;
pub(crate) const MOST: usize = 100;

/// What all of them may take of memory: each as long as it may be, with an ordinary scope.
const MOST_BYTES: usize = 4 << 20;

impl Propose {
    /// The change that lets the hint wait.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Proposed), Error> {
        check_said(&self.why, "why", MAX_REASON_BYTES, on.config)?;
        let mut set = SetHint::new(self.component, self.key, self.value);
        set.meta = self.meta;
        let origin = on.origin();
        on.stamp(&mut set.meta, origin.as_ref())?;
        let (changes, set) = set.plan_as(on, origin, Some(self.why))?;
        let known = "the hint says this already; there is nothing to propose";
        let proposal = set
            .proposal
            .ok_or_else(|| Error::of(ErrorKind::Conflict, "known", known))?;
        Ok((changes, Proposed { proposal }))
    }
}

impl Accept {
    /// The changes that set the hint of the proposal as the user's own, or delete it.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, HintSet), Error> {
        let proposal = on.proposal(self.id)?;
        let (component, key) = (proposal.component.clone(), proposal.key.clone());
        let hint = Arc::clone(&proposal.hint);
        let dismissed = ChangeKind::dismiss(proposal);
        if proposal.delete {
            let scope = hint.scope().cloned().unwrap_or_default();
            let delete = DeleteHint::new(component, key).scope(scope);
            let (changes, gone) = delete.plan(on)?;
            let answer = HintSet {
                component: gone.component,
                key: gone.key,
                hint,
                created: false,
                variants: gone.remaining,
                replaced: None,
                proposal: None,
                note: Some("it is deleted".into()),
            };
            return Ok((changes, answer));
        }
        let meta = HintMeta {
            source: Some(Source::User),
            ..hint.meta.clone()
        };
        let mut set = SetHint::new(component, key, hint.value.clone());
        set.meta = MetaPatch::to(&meta);
        let origin = meta.origin.map(|origin| *origin);
        let (mut changes, answer) = set.plan_as(on, origin, None)?;
        if !changes.contains(&dismissed) {
            changes.insert(0, dismissed);
        }
        Ok((changes, answer))
    }
}

impl Reject {
    /// The changes that drop the proposal, and remember that the user does not want it.
    pub(crate) fn plan(self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Proposed), Error> {
        let proposal = on.proposal(self.id)?.clone();
        let mut changes = vec![ChangeKind::dismiss(&proposal)];
        if !proposal.delete {
            let names = (&proposal.component, &proposal.key);
            changes.extend(on.unwanted(names, &proposal.hint));
        }
        Ok((changes, Proposed { proposal }))
    }
}

impl<'a> WriteContext<'a> {
    fn proposal(&self, id: u64) -> Result<&'a Proposal, Error> {
        let mut waiting = self.store.proposals(self.now);
        waiting.find(|proposal| proposal.id == id).ok_or_else(|| {
            let error = Error::not_found("no_proposal", format!("no proposal {id} waits"));
            error.at("id").fix(Fix::ListProposals)
        })
    }

    /// Lets a hint wait that the caller may not set, or a delete that it may not do.
    pub(crate) fn offer(
        &self,
        (component, key): (Name, Name),
        hint: Arc<Hint>,
        why: Box<str>,
        delete: bool,
    ) -> Result<(Vec<ChangeKind>, Proposal), Error> {
        let origin = self.origin().filter(|_| !self.by.is_user());
        let mut waiting = Waiting::new(*self);
        let proposal = waiting.add(Offer {
            component,
            key,
            hint,
            why,
            client: origin.and_then(|origin| origin.client),
            delete,
        })?;
        Ok((waiting.changes, proposal))
    }

    /// The changes that drop what waits for a hint that the user has set or deleted now.
    pub(crate) fn answered_proposals(
        &self,
        slot: (&Name, &Name),
        hint: &Hint,
    ) -> impl Iterator<Item = ChangeKind> {
        let is_answered = move |one: &&Proposal| {
            (&one.component, &one.key) == slot && one.hint.meta.scope == hint.meta.scope
        };
        let waiting = self.store.proposals(self.now).filter(is_answered);
        waiting.map(ChangeKind::dismiss)
    }
}

/// The proposals that wait, as a plan changes them.
pub(crate) struct Waiting<'a> {
    on: WriteContext<'a>,
    proposals: VecDeque<Proposal>,
    next: u64,
    pub(crate) changes: Vec<ChangeKind>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(on: WriteContext<'a>) -> Waiting<'a> {
        Waiting {
            on,
            proposals: on.store.proposals(on.now).cloned().collect(),
            next: on.store.next_proposal(),
            changes: Vec::new(),
        }
    }

    /// Drops those that are no longer to wait.
    pub(crate) fn drop_all(&mut self, is_dropped: impl Fn(&Proposal) -> bool) {
        let dropped = self.proposals.iter().filter(|one| is_dropped(one));
        self.changes.extend(dropped.map(ChangeKind::dismiss));
        self.proposals.retain(|one| !is_dropped(one));
    }

    /// Lets a hint wait. One that waits already waits once; a newer one of the same
    /// client for the same hint takes the place of its older one. What the user does not want
    /// is not proposed again.
    pub(crate) fn add(&mut self, offer: Offer) -> Result<Proposal, Error> {
        let names = (&offer.component, &offer.key);
        let mut marks = self.on.store.marks().of(names);
        if !offer.delete && marks.any(|mark| mark.is_about(names, &offer.hint)) {
            let words = "the user has rejected this value; the hint stays as it is";
            return Err(Error::of(ErrorKind::Conflict, "rejected", words));
        }
        let is_for_same = |one: &Proposal| {
            one.component == offer.component
                && one.key == offer.key
                && one.hint.meta.scope == offer.hint.meta.scope
        };
        let mut same = self.proposals.iter().filter(|one| is_for_same(one));
        let is_same =
            |one: &&Proposal| one.delete == offer.delete && adds_nothing(&one.hint, &offer.hint);
        if let Some(waiting) = same.find(is_same) {
            return Ok(waiting.clone());
        }
        let client = offer.client.clone();
        let is_own = |one: &Proposal| same_client(one.client.as_ref(), client.as_ref());
        self.drop_all(|one| is_for_same(one) && is_own(one));
        let mut own = self.proposals.iter().filter(|one| is_own(one));
        if let Some(oldest) = own.next().map(|one| one.id)
            && own.count() + 1 >= MOST_OF_ONE
        {
            self.drop_all(|one| one.id == oldest);
        }
        let bytes = self.proposals.iter().map(|one| one.hint.bytes());
        if bytes.sum::<usize>() + offer.hint.bytes() > MOST_BYTES {
            let words = "the proposals that wait are as large as they may be; ask the user to look \
                         at `nudge proposals`";
            return Err(exceeded("proposals", MOST, words.to_owned()));
        }
        if self.proposals.len() >= MOST {
            let words = format!("{MOST} proposals wait; ask the user to look at `nudge proposals`");
            return Err(exceeded("proposals", MOST, words));
        }
        let proposal = Proposal {
            id: self.next,
            component: offer.component,
            key: offer.key,
            hint: offer.hint,
            why: offer.why,
            client,
            stands: None,
            delete: offer.delete,
            proposed_at: self.on.now,
        };
        self.next = self.next.saturating_add(1);
        self.proposals.push_back(proposal.clone());
        self.changes.push(ChangeKind::Propose(proposal.clone()));
        Ok(proposal)
    }
}

/// Whether two proposals come from one client, whichever of its names it gave.
pub(crate) fn same_client(one: Option<&Name>, other: Option<&Name>) -> bool {
    one.map(|client| known_by(client)) == other.map(|client| known_by(client))
}

/// Whether a hint says no more than another, whoever says it.
pub(crate) fn adds_nothing(hint: &Hint, known: &Hint) -> bool {
    hint.value == known.value && hint.meta.says_the_same(&known.meta)
}

impl HintMeta {
    /// Whether two say the same, whoever says it.
    pub(crate) fn says_the_same(&self, other: &HintMeta) -> bool {
        let said = |meta: &HintMeta| HintMeta {
            origin: None,
            source: None,
            added_by: None,
            anchors: Box::default(),
            ..meta.clone()
        };
        said(self) == said(other)
    }
}
