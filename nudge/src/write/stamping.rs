//! The stamps of what is changed on this machine.

use std::sync::Arc;

use crate::hint::Hint;
use crate::hint::mark::Mark;
use crate::hint::stamp::Stamp;
use crate::store::change::{ChangeKind, Used};
use crate::write::plan::WriteContext;

impl WriteContext<'_> {
    /// The same changes, with a stamp above all that were seen on what goes to other machines, and
    /// a mark for what no longer does.
    pub(crate) fn stamped(&self, kinds: Vec<ChangeKind>) -> Vec<ChangeKind> {
        let Some(machine) = self.store.machine() else {
            return kinds;
        };
        let stamp = Stamp {
            counter: self.store.counter().saturating_add(1),
            machine: machine.clone(),
            at: self.now,
        };
        let mut stamped = Vec::with_capacity(kinds.len());
        for mut kind in kinds {
            let mut after = Vec::new();
            let names = kind
                .slot()
                .map(|(component, key)| (component.clone(), key.clone()));
            let scope = kind.scope().map(Arc::clone);
            let scope = scope.as_ref().map(|scope| &***scope);
            let names = names.as_ref().map(|(component, key)| (component, key));
            let known = names.and_then(|names| self.store.variant(names, scope));
            let gone = names.map(|names| Mark::gone(names, scope, stamp.clone()));
            let is_said_again = matches!(kind, ChangeKind::Set { .. }) && self.by.is_user();
            match &mut kind {
                ChangeKind::Set { hint, .. } | ChangeKind::Bump(Used { hint, .. })
                    if hint.is_carried() =>
                {
                    // Also one that was made by a change before this one.
                    after.extend(gone.map(ChangeKind::Unmark));
                    let same = known.filter(|known| !is_said_again && is_unchanged(hint, known));
                    let at = hint.updated_at;
                    let new = same.and_then(|known| known.stamp.clone());
                    let new = new.unwrap_or_else(|| {
                        Box::new(Stamp {
                            at,
                            ..stamp.clone()
                        })
                    });
                    Arc::make_mut(hint).stamp = Some(new);
                }
                ChangeKind::Set { hint, .. } if known.is_some_and(|known| known.is_carried()) => {
                    after.extend(gone.map(ChangeKind::Mark));
                    Arc::make_mut(hint).stamp = None;
                }
                ChangeKind::Delete(_) if known.is_some_and(|known| known.stamp.is_some()) => {
                    after.extend(gone.map(ChangeKind::Mark));
                }
                ChangeKind::Clear => {
                    for slot in self.store.slots() {
                        let names = (&slot.component, &slot.key);
                        let gone = slot.hints().filter(|hint| hint.stamp.is_some());
                        let gone = gone.map(|hint| Mark::gone(names, hint.scope(), stamp.clone()));
                        after.extend(gone.map(ChangeKind::Mark));
                    }
                }
                ChangeKind::Mark(mark) => mark.stamp = Some(stamp.clone()),
                ChangeKind::Unmark(mark) if mark.stamp.is_some() && !mark.is_of_hint() => {
                    kind = ChangeKind::Mark(Mark {
                        wanted: true,
                        at: self.now,
                        stamp: Some(stamp.clone()),
                        ..mark.clone()
                    });
                }
                _ => {}
            }
            stamped.push(kind);
            stamped.append(&mut after);
        }
        stamped
    }
}

/// Whether other machines have a hint as it is.
fn is_unchanged(hint: &Hint, known: &Hint) -> bool {
    known.is_carried() && hint.value == known.value && hint.meta == known.meta
}
