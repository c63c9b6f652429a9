//! `Change`: what a write did, as data; `Sink`: who is asked before it is done.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::api::caller::{Caller, Via};
use crate::config::Config;
use crate::hint::Hint;
use crate::hint::origin::Origin;
use crate::hint::proposal::Proposal;
use crate::hint::working_set::WorkingSet;
use crate::model::absent::is_false;
use crate::model::name::Name;
use crate::model::time;
use crate::scope::matcher::ScopeMatcher;
use crate::store::interner::Interner;

/// One step in the life of a store.
///
/// A store is what its changes made it: replaying them in order into an empty
/// one gives the same hints, versions and times. See [`Nudge::replay`](crate::Nudge::replay).
///
/// # Examples
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use nudge::{Change, Export, Nudge, SetHint};
///
/// let journal = Arc::new(Mutex::new(Vec::<Change>::new()));
/// let sink = Arc::clone(&journal);
/// let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
///     sink.lock().unwrap().extend_from_slice(changes);
///     Ok(())
/// });
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
///
/// let again = Nudge::default();
/// again.replay(journal.lock().unwrap().drain(..));
/// assert_eq!(again.stats(), nudge.stats());
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Change {
    /// From 1, one more with every change of the store.
    pub seq: u64,
    /// When it was made.
    #[serde(with = "time")]
    pub at: DateTime<Utc>,
    /// What was done.
    pub what: What,
    /// The component; empty when no hint is meant.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub component: Name,
    /// The key; empty when no hint is meant.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub key: Name,
    /// The scope of the variant; absent when it applies everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Arc<ScopeMatcher>>,
    /// The version before; 0 when the variant was not there.
    pub before: u64,
    /// The version after; 0 when the variant is gone.
    pub after: u64,
    /// Whether a set gave a variant that was there another value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub value_changed: bool,
    /// The hint after; absent when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Arc<Hint>>,
    /// Who asked for it, where a door says so and the hint does not: who deleted
    /// or used it, or set it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Arc<Origin>>,
    /// All that is being worked on after, the oldest first; absent unless that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Arc<WorkingSet>>,
    /// The number of the proposal, where one came or went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<u64>,
    /// Why a hint was proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Box<str>>,
}

/// What a [`Change`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum What {
    /// A variant was set or imported.
    Set,
    /// A variant was used.
    Bump,
    /// A variant was used and failed.
    Fail,
    /// A variant was deleted.
    Delete,
    /// A variant's time to live was over.
    Expire,
    /// Everything was taken away, to be replaced by what follows.
    Clear,
    /// Something else is being worked on.
    Context,
    /// A hint was proposed.
    Propose,
    /// A proposal was accepted, rejected or dropped.
    Dismiss,
}

impl Change {
    /// A change to one variant. Its number is given when it is accepted.
    pub(crate) fn new(
        what: What,
        at: DateTime<Utc>,
        (component, key): (Name, Name),
        before: Option<&Arc<Hint>>,
        after: Option<Arc<Hint>>,
    ) -> Change {
        let scope = after
            .as_ref()
            .or(before)
            .and_then(|hint| hint.meta.scope.clone());
        let values = before.zip(after.as_ref());
        let value_changed =
            what == What::Set && values.is_some_and(|(before, after)| before.value != after.value);
        Change {
            seq: 0,
            at,
            what,
            component,
            key,
            scope,
            before: before.map_or(0, |hint| hint.version),
            after: after.as_ref().map_or(0, |hint| hint.version),
            value_changed,
            hint: after,
            by: None,
            context: None,
            proposal: None,
            why: None,
        }
    }

    /// The change after which these things are being worked on.
    pub(crate) fn context(at: DateTime<Utc>, working_set: Arc<WorkingSet>) -> Change {
        Change {
            what: What::Context,
            context: Some(working_set),
            ..Change::clear(at)
        }
    }

    /// Whether it is known without further words who asked for the change.
    fn tells_of(&self, by: &Caller<'_>) -> bool {
        let set_by = self
            .hint
            .as_ref()
            .and_then(|hint| hint.meta.origin.as_ref());
        match self.what {
            What::Expire => true,
            What::Set => set_by.is_some_and(|known| {
                known.via == *by.via.as_str() && known.client.as_deref() == by.client
            }),
            What::Bump
            | What::Fail
            | What::Delete
            | What::Clear
            | What::Context
            | What::Propose
            | What::Dismiss => false,
        }
    }

    /// Lets the hint share what it has in common with others.
    pub(crate) fn share(&mut self, interner: &Interner) {
        let Some(hint) = &mut self.hint else { return };
        let meta = &mut Arc::make_mut(hint).meta;
        meta.tags = interner.tags.share(Arc::clone(&meta.tags));
        meta.scope = meta
            .scope
            .take()
            .map(|matcher| interner.matchers.share(matcher));
    }

    /// The change that takes everything away.
    pub(crate) fn clear(at: DateTime<Utc>) -> Change {
        Change::new(
            What::Clear,
            at,
            (Name::default(), Name::default()),
            None,
            None,
        )
    }
}

impl Change {
    pub(crate) fn propose(at: DateTime<Utc>, proposal: &Proposal) -> Change {
        let names = (proposal.component.clone(), proposal.key.clone());
        let hint = Some(Arc::clone(&proposal.hint));
        Change {
            proposal: Some(proposal.id),
            why: Some(proposal.why.clone()),
            ..Change::new(What::Propose, at, names, None, hint)
        }
    }

    pub(crate) fn dismiss(at: DateTime<Utc>, proposal: &Proposal) -> Change {
        Change {
            component: proposal.component.clone(),
            key: proposal.key.clone(),
            ..Change::dismissed(at, proposal.id)
        }
    }

    /// The change after which a proposal does not wait, whatever it was.
    pub(crate) fn dismissed(at: DateTime<Utc>, id: u64) -> Change {
        Change {
            what: What::Dismiss,
            proposal: Some(id),
            ..Change::clear(at)
        }
    }
}

/// Notes who asked for changes, on those that do not tell.
pub(crate) fn note_who(changes: &mut [Change], by: &Caller<'_>, config: &Config) {
    if by.via == Via::Library {
        return;
    }
    let silent = |change: &&mut Change| !change.tells_of(by);
    let silent: Vec<&mut Change> = changes.iter_mut().filter(silent).collect();
    // To look at an origin costs more than a change; mostly there is no need to.
    if silent.is_empty() {
        return;
    }
    let by = by.origin().and_then(|origin| origin.fitting(config));
    let by = by.map(Arc::new);
    for change in silent {
        change.by.clone_from(&by);
    }
}

fn is_empty(name: &Name) -> bool {
    name.as_str().is_empty()
}
