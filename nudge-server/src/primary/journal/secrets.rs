//! `Secrets`: which hints must not reach the disk, and what is written instead.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use nudge::{Change, ChangeKind, Name, Removed, ScopeMatcher};

/// Which variant: a component, a key and a scope.
type Variant = (Name, Name, Option<Arc<ScopeMatcher>>);

/// The variants and proposals that are marked as secret. The journal has marks in their
/// place, and the numbers of proposals, which must not come twice.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    variants: HashSet<Variant>,
    proposals: HashSet<u64>,
}

/// What of an operation may be written.
pub(super) struct Writable<'c> {
    pub(super) changes: Cow<'c, [Change]>,
    /// Whether its answer shows a secret, or what it deletes, and stays in this process.
    pub(super) is_private: bool,
}

impl Secrets {
    /// Takes note of changes, and says what of them may be written.
    pub(super) fn sift<'c>(&mut self, changes: &'c [Change]) -> Writable<'c> {
        let is_known = !self.variants.is_empty() || !self.proposals.is_empty();
        let deletes = |change: &Change| matches!(change.kind, ChangeKind::Delete(_));
        let mut is_private = changes.iter().any(deletes);
        if !is_known && !changes.iter().any(is_secret) {
            return Writable {
                changes: Cow::Borrowed(changes),
                is_private,
            };
        }
        // The answer of a set does not show the proposal that it drops; that of a reject does.
        let shows_proposal = changes.iter().all(|change| change.kind.hint().is_none());
        let mut writable: Vec<Change> = Vec::with_capacity(changes.len());
        for change in changes {
            let mut written = change.clone();
            let variant = variant(change);
            match &change.kind {
                ChangeKind::Clear => self.variants.clear(),
                ChangeKind::Context { .. }
                | ChangeKind::Mark(_)
                | ChangeKind::Unmark(_)
                | ChangeKind::Lost { .. } => {}
                ChangeKind::Propose(proposal) if is_secret(change) => {
                    is_private = true;
                    self.proposals.insert(proposal.id);
                    written.kind = number_alone(proposal.id);
                }
                // A set that was only proposed is answered with what stands there.
                ChangeKind::Propose(_) => is_private |= self.has_secret(change),
                ChangeKind::Dismiss { proposal, .. } => {
                    if self.proposals.remove(proposal) {
                        is_private |= shows_proposal;
                        written.kind = number_alone(*proposal);
                    }
                }
                ChangeKind::Set { .. } | ChangeKind::Bump(_) | ChangeKind::Fail(_)
                    if is_secret(change) =>
                {
                    is_private = true;
                    let is_new = variant.is_some_and(|variant| self.variants.insert(variant));
                    // What stood there openly must not come back by a replay.
                    let is_gone = matches!(change.kind, ChangeKind::Set { before: 0, .. })
                        || writable.iter().any(|written| removes(written, change));
                    if let Some(removal) = removal(change).filter(|_| is_new && !is_gone) {
                        written.kind = removal;
                        writable.push(written);
                    }
                    writable.extend(mark(change).filter(|_| is_new));
                    continue;
                }
                ChangeKind::Set { .. }
                | ChangeKind::Bump(_)
                | ChangeKind::Fail(_)
                | ChangeKind::Delete(_)
                | ChangeKind::Expire(_) => {
                    variant.map(|variant| self.variants.remove(&variant));
                }
            }
            writable.push(written);
            // It took the mark away that other secrets of the slot have left.
            if matches!(
                change.kind,
                ChangeKind::Set { .. } | ChangeKind::Delete(_) | ChangeKind::Expire(_)
            ) && self.has_secret(change)
            {
                writable.extend(mark(change));
            }
        }
        Writable {
            changes: Cow::Owned(writable),
            is_private,
        }
    }

    /// Whether the slot of a change holds a secret.
    fn has_secret(&self, change: &Change) -> bool {
        let mut variants = self.variants.iter();
        variants.any(|(component, key, _)| change.kind.slot() == Some((component, key)))
    }
}

/// What of the changes that make a store again is to be written: what is open, then marks in
/// place of the secrets. A new journal has nothing to clear.
pub(super) fn standing(changes: &[Change]) -> impl Iterator<Item = Cow<'_, Change>> {
    let changes = changes.iter();
    let changes = changes.filter(|change| change.kind != ChangeKind::Clear);
    let (secret, open): (Vec<&Change>, Vec<&Change>) =
        changes.partition(|change| is_secret(change));
    let is_set = |change: &&Change| matches!(change.kind, ChangeKind::Set { .. });
    let marks = secret.into_iter().filter(is_set).filter_map(mark);
    let open = open.into_iter().map(Cow::Borrowed);
    open.chain(marks.map(Cow::Owned))
}

/// What is written in place of a secret.
fn mark(change: &Change) -> Option<Change> {
    let (component, key) = change.kind.slot()?;
    let (component, key) = (component.clone(), key.clone());
    let mut mark = change.clone();
    mark.by = None;
    mark.kind = ChangeKind::Lost { component, key };
    Some(mark)
}

/// The change after which a proposal does not wait, with nothing about it but
/// its number.
fn number_alone(proposal: u64) -> ChangeKind {
    ChangeKind::Dismiss {
        proposal,
        component: None,
        key: None,
    }
}

/// Whether a change sets, uses or proposes a hint that is marked as secret.
fn is_secret(change: &Change) -> bool {
    let hint = change.kind.hint();
    hint.is_some_and(|hint| hint.is_secret())
}

/// Whether an earlier change of the operation took away what another replaces.
fn removes(earlier: &Change, later: &Change) -> bool {
    match &earlier.kind {
        ChangeKind::Clear => true,
        ChangeKind::Delete(_) => earlier.kind.slot() == later.kind.slot(),
        _ => false,
    }
}

/// The change that takes away what a secret replaces.
fn removal(change: &Change) -> Option<ChangeKind> {
    let ((component, key), hint) = change.kind.slot().zip(change.kind.hint())?;
    let gone = Removed::new((component.clone(), key.clone()), hint);
    Some(ChangeKind::Delete(gone))
}

fn variant(change: &Change) -> Option<Variant> {
    let (component, key) = change.kind.slot()?;
    let scope = change.kind.scope().cloned();
    Some((component.clone(), key.clone(), scope))
}
