//! `Secrets`: which hints must not reach the disk, and what is written instead.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use nudge::{Change, ChangeKind, Name, Proposal, Removed, ScopeMatcher};

/// Which variant: a component, a key and a scope.
type Variant = (Name, Name, Option<Arc<ScopeMatcher>>);

/// The variants and proposals that are marked as secret. Nothing about them is
/// in the journal, but for the numbers of proposals, which must not come twice.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    variants: HashSet<Variant>,
    proposals: HashSet<u64>,
}

/// What of an operation may be written.
pub(super) struct Writable<'c> {
    pub(super) changes: Cow<'c, [Change]>,
    /// Whether its answer, or a part of its effect, must stay in this process.
    pub(super) is_secret: bool,
}

impl Secrets {
    /// Takes note of changes, and says what of them may be written.
    pub(super) fn sift<'c>(&mut self, changes: &'c [Change]) -> Writable<'c> {
        let is_known = !self.variants.is_empty() || !self.proposals.is_empty();
        if !is_known && !changes.iter().any(is_secret) {
            return Writable {
                changes: Cow::Borrowed(changes),
                is_secret: false,
            };
        }
        // The answer of a delete shows what was there; that of a set does not.
        let shows_removed = changes.iter().all(|change| change.kind.hint().is_none());
        let mut writable: Vec<Change> = Vec::with_capacity(changes.len());
        let mut stays = false;
        for change in changes {
            let mut written = change.clone();
            let variant = variant(change);
            match &change.kind {
                ChangeKind::Clear => self.variants.clear(),
                ChangeKind::Context { .. } | ChangeKind::Lost { .. } => {}
                ChangeKind::Propose(proposal) if is_secret(change) => {
                    stays = true;
                    self.proposals.insert(proposal.id);
                    written.kind = number_alone(proposal.id);
                }
                // A set that was only proposed is answered with what stands there.
                ChangeKind::Propose(Proposal { component, key, .. }) => {
                    let mut variants = self.variants.iter();
                    stays |= variants.any(|variant| (&variant.0, &variant.1) == (component, key));
                }
                ChangeKind::Dismiss { proposal, .. } => {
                    if self.proposals.remove(proposal) {
                        stays |= shows_removed;
                        written.kind = number_alone(*proposal);
                    }
                }
                ChangeKind::Set { .. } | ChangeKind::Bump(_) | ChangeKind::Fail(_)
                    if is_secret(change) =>
                {
                    stays = true;
                    let is_new = variant.is_some_and(|variant| self.variants.insert(variant));
                    // What stood there openly must not come back by a replay.
                    let is_gone = matches!(change.kind, ChangeKind::Set { before: 0, .. })
                        || writable.iter().any(|written| removes(written, change));
                    match removal(change) {
                        Some(removal) if is_new && !is_gone => written.kind = removal,
                        _ => continue,
                    }
                }
                ChangeKind::Set { .. } | ChangeKind::Bump(_) | ChangeKind::Fail(_) => {
                    variant.map(|variant| self.variants.remove(&variant));
                }
                ChangeKind::Delete(_) | ChangeKind::Expire(_) => {
                    if variant.is_some_and(|variant| self.variants.remove(&variant)) {
                        stays |= shows_removed && matches!(change.kind, ChangeKind::Delete(_));
                        continue;
                    }
                }
            }
            writable.push(written);
        }
        Writable {
            changes: Cow::Owned(writable),
            is_secret: stays,
        }
    }
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
pub(super) fn is_secret(change: &Change) -> bool {
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
