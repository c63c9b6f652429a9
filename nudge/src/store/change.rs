//! `Change`: what a write did, as data.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::api::caller::Caller;
use crate::api::reach::Reach;
use crate::hint::Hint;
use crate::hint::mark::Mark;
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
/// As JSON it is one flat object, in which `what` names the kind.
///
/// # Examples
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use nudge::{Change, ChangeKind, Nudge, SetHint};
///
/// let journal = Arc::new(Mutex::new(Vec::<Change>::new()));
/// let sink = Arc::clone(&journal);
/// let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
///     sink.lock().unwrap().extend_from_slice(changes);
///     Ok(())
/// });
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
///
/// let changes = std::mem::take(&mut *journal.lock().unwrap());
/// assert!(matches!(&changes[0].kind, ChangeKind::Set { key, before: 0, .. } if key == "build"));
///
/// let again = Nudge::default();
/// again.replay(changes);
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
    /// Who asked for it, where a surface says so and the hint does not: who deleted
    /// or used it, or set it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Arc<Origin>>,
    /// What was done.
    #[serde(flatten)]
    pub kind: ChangeKind,
}

/// What a [`Change`] did.
///
/// All kinds are known: whoever keeps changes has to think of each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum ChangeKind {
    /// A variant was set or imported.
    Set {
        /// The component.
        component: Name,
        /// The key.
        key: Name,
        /// The version before; 0 when the variant was not there.
        before: u64,
        /// Whether a variant that was there got another value.
        #[serde(default, skip_serializing_if = "is_false")]
        value_changed: bool,
        /// The hint that stands there now.
        hint: Arc<Hint>,
    },
    /// A variant was used.
    Bump(Used),
    /// A variant was used and failed.
    Fail(Used),
    /// A variant was deleted.
    Delete(Removed),
    /// A variant's time to live was over.
    Expire(Removed),
    /// All hints were taken away, to be replaced by what follows.
    Clear,
    /// Somebody works on something else.
    Context {
        /// Who, where, and all of it, the oldest first.
        #[serde(rename = "context")]
        working_set: Arc<WorkingSet>,
        /// The sets that have other items than before.
        #[serde(default, skip_serializing_if = "<[Name]>::is_empty")]
        sets: Arc<[Name]>,
    },
    /// A hint was proposed.
    Propose(Proposal),
    /// A proposal was accepted, rejected or dropped.
    Dismiss {
        /// Its number.
        proposal: u64,
        /// Its component; absent where nothing but the number may be known.
        #[serde(skip_serializing_if = "Option::is_none")]
        component: Option<Name>,
        /// Its key; absent where nothing but the number may be known.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<Name>,
    },
    /// Something is to be remembered of a value that does not stand.
    Mark(Mark),
    /// That is to be forgotten.
    Unmark(Mark),
    /// The store shares what it keeps with those of other machines.
    Machine {
        /// What it is called from now on, in the stamps of what is changed here.
        machine: Name,
        /// The highest counter that it has seen.
        counter: u64,
    },
    /// A secret stood in a slot and is lost: it ended with the process that held it.
    Lost {
        /// The component.
        component: Name,
        /// The key.
        key: Name,
    },
}

/// A variant that was used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Used {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// The hint with its new counts.
    pub hint: Arc<Hint>,
}

/// A variant that is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Removed {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// Its scope; absent when it applied everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Arc<ScopeMatcher>>,
    /// The version that it had.
    pub before: u64,
}

impl Removed {
    /// The hint that stood under these names.
    #[must_use]
    pub fn new((component, key): (Name, Name), hint: &Hint) -> Removed {
        Removed {
            component,
            key,
            scope: hint.meta.scope.clone(),
            before: hint.version,
        }
    }
}

impl Change {
    /// Whether a caller may be told of it: others than the user of what they may read.
    #[must_use]
    pub fn may_be_told_to(&self, by: &Caller<'_>) -> bool {
        let reach = Reach::of(by, None, &|_| true);
        match &self.kind {
            ChangeKind::Propose(proposal) => by.may_see(proposal),
            ChangeKind::Context { working_set, .. } => reach.has_work(working_set),
            // Where these were is not known.
            ChangeKind::Dismiss { .. }
            | ChangeKind::Mark(_)
            | ChangeKind::Unmark(_)
            | ChangeKind::Machine { .. }
            | ChangeKind::Lost { .. } => by.is_user(),
            kind => reach.has_scope(kind.scope().map(|scope| &**scope)),
        }
    }
}

impl ChangeKind {
    /// The component and the key that it is about.
    #[must_use]
    pub fn slot(&self) -> Option<(&Name, &Name)> {
        match self {
            ChangeKind::Set { component, key, .. }
            | ChangeKind::Lost { component, key }
            | ChangeKind::Mark(Mark { component, key, .. })
            | ChangeKind::Unmark(Mark { component, key, .. })
            | ChangeKind::Propose(Proposal { component, key, .. }) => Some((component, key)),
            ChangeKind::Bump(used) | ChangeKind::Fail(used) => Some((&used.component, &used.key)),
            ChangeKind::Delete(gone) | ChangeKind::Expire(gone) => {
                Some((&gone.component, &gone.key))
            }
            ChangeKind::Dismiss { component, key, .. } => component.as_ref().zip(key.as_ref()),
            ChangeKind::Clear | ChangeKind::Context { .. } | ChangeKind::Machine { .. } => None,
        }
    }

    /// The hint that was set, used or proposed, as it is after.
    #[must_use]
    pub fn hint(&self) -> Option<&Arc<Hint>> {
        match self {
            ChangeKind::Set { hint, .. }
            | ChangeKind::Bump(Used { hint, .. })
            | ChangeKind::Fail(Used { hint, .. })
            | ChangeKind::Propose(Proposal { hint, .. }) => Some(hint),
            _ => None,
        }
    }

    /// The scope of the variant that it is about; absent when that applies everywhere.
    #[must_use]
    pub fn scope(&self) -> Option<&Arc<ScopeMatcher>> {
        match self {
            ChangeKind::Delete(gone) | ChangeKind::Expire(gone) => gone.scope.as_ref(),
            other => other.hint().and_then(|hint| hint.meta.scope.as_ref()),
        }
    }

    pub(crate) fn delete(names: (Name, Name), hint: &Hint) -> ChangeKind {
        ChangeKind::Delete(Removed::new(names, hint))
    }

    pub(crate) fn set(
        (component, key): (Name, Name),
        before: Option<&Arc<Hint>>,
        hint: Arc<Hint>,
    ) -> ChangeKind {
        ChangeKind::Set {
            component,
            key,
            before: before.map_or(0, |before| before.version),
            value_changed: before.is_some_and(|before| before.value != hint.value),
            hint,
        }
    }

    pub(crate) fn dismiss(proposal: &Proposal) -> ChangeKind {
        ChangeKind::Dismiss {
            proposal: proposal.id,
            component: Some(proposal.component.clone()),
            key: Some(proposal.key.clone()),
        }
    }

    /// Whether it is known without further words who asked for the change.
    pub(crate) fn tells_of(&self, by: &Caller<'_>) -> bool {
        match self {
            ChangeKind::Expire(_) => true,
            ChangeKind::Set { hint, .. } => hint.meta.origin.as_ref().is_some_and(|known| {
                known.via == *by.via.as_str() && known.client.as_deref() == by.client
            }),
            _ => false,
        }
    }

    /// Lets the hint share what it has in common with others, and reads a time of it
    /// that is later than now as now.
    pub(crate) fn settle(&mut self, interner: &Interner, now: DateTime<Utc>) {
        let (ChangeKind::Set { hint, .. }
        | ChangeKind::Bump(Used { hint, .. })
        | ChangeKind::Fail(Used { hint, .. })
        | ChangeKind::Propose(Proposal { hint, .. })) = self
        else {
            return;
        };
        let hint = Arc::make_mut(hint);
        hint.not_after(now);
        let meta = &mut hint.meta;
        meta.tags = interner.share_tags(Arc::clone(&meta.tags));
        let scope = meta.scope.take();
        meta.scope = scope.map(|matcher| interner.share_matcher(matcher));
    }
}
