//! `Secrets`: which hints must not reach the disk, and what is written instead.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use nudge::{Change, Name, ScopeMatcher, What};

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
        let shows_removed = changes.iter().all(|change| change.hint.is_none());
        let mut writable: Vec<Change> = Vec::with_capacity(changes.len());
        let mut stays = false;
        for change in changes {
            let variant = || {
                let scope = change.scope.clone();
                (change.component.clone(), change.key.clone(), scope)
            };
            match (change.what, &change.hint) {
                (What::Clear, _) => self.variants.clear(),
                (What::Context, _) => {}
                (What::Propose | What::Dismiss, _) => {
                    let (written, is_shown) = self.proposal(change, shows_removed);
                    stays |= is_shown;
                    writable.push(written);
                    continue;
                }
                (_, Some(_)) if is_secret(change) => {
                    stays = true;
                    // What stood there openly must not come back by a replay.
                    let is_new = self.variants.insert(variant());
                    let is_gone = writable.iter().any(|written| removes(written, change));
                    if is_new && change.before > 0 && !is_gone {
                        writable.push(removal(change));
                    }
                    continue;
                }
                (_, Some(_)) => {
                    self.variants.remove(&variant());
                }
                (what, None) => {
                    if self.variants.remove(&variant()) {
                        stays |= shows_removed && what == What::Delete;
                        continue;
                    }
                }
            }
            writable.push(change.clone());
        }
        Writable {
            changes: Cow::Owned(writable),
            is_secret: stays,
        }
    }
}

impl Secrets {
    /// What is written of a proposal that came or went, and whether the answer
    /// shows a secret.
    fn proposal(&mut self, change: &Change, shows_removed: bool) -> (Change, bool) {
        let id = change.proposal.unwrap_or_default();
        if is_secret(change) {
            self.proposals.insert(id);
            return (number_alone(change), true);
        }
        if change.hint.is_none() && self.proposals.remove(&id) {
            return (number_alone(change), shows_removed);
        }
        // A set that was only proposed is answered with what stands there.
        let mut variants = self.variants.iter();
        let is_of_slot =
            |(component, key, _): &Variant| *component == change.component && *key == change.key;
        let stands = change.hint.is_some() && variants.any(is_of_slot);
        (change.clone(), stands)
    }
}

/// The change after which a proposal does not wait, with nothing about it but
/// its number.
fn number_alone(change: &Change) -> Change {
    let mut alone = removal(change);
    alone.what = What::Dismiss;
    (alone.component, alone.key) = (Name::default(), Name::default());
    (alone.scope, alone.why) = (None, None);
    alone
}

/// Whether a change sets, or proposes, a hint that is marked as secret.
pub(super) fn is_secret(change: &Change) -> bool {
    change.hint.as_ref().is_some_and(|hint| hint.is_secret())
}

/// Whether an earlier change of the operation took away what another replaces.
fn removes(earlier: &Change, later: &Change) -> bool {
    let same = earlier.component == later.component && earlier.key == later.key;
    earlier.what == What::Clear || (earlier.what == What::Delete && same)
}

/// The change that takes away what a secret replaces.
fn removal(change: &Change) -> Change {
    let mut removal = change.clone();
    removal.what = What::Delete;
    removal.hint = None;
    removal.after = 0;
    removal
}
