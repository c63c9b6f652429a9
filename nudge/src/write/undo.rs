//! `UndoList`: what the user's last writes took away, so that it can be taken back.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::answer::{TakenBack, Undone, Was};
use crate::config::check_limit;
use crate::hint::Hint;
use crate::hint::mark::Mark;
use crate::hint::origin::who;
use crate::model::error::{Error, ErrorKind};
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::store::Store;
use crate::store::change::{Change, ChangeKind};
use crate::write::plan::WriteContext;

/// How many writes are remembered, the last ones.
const MOST: usize = 20;

/// How much all of them may take of memory, about.
const MAX_BYTES: usize = 1 << 20;

/// A variant, by its identity.
type Identity = (Name, Name, Option<Scope>);

/// What the user's last writes took away, the oldest first. It is in memory alone.
#[derive(Default)]
pub(crate) struct UndoList(VecDeque<Entry>);

/// What one write did.
#[derive(Clone, Default)]
pub(crate) struct Entry {
    steps: BTreeMap<Identity, Step>,
    /// What takes back what it changed of marks.
    marks: Vec<ChangeKind>,
    bytes: usize,
}

/// What it did to one variant.
#[derive(Clone)]
enum Step {
    Changed {
        before: Option<Arc<Hint>>,
        after: Option<Arc<Hint>>,
    },
    /// Nothing is remembered of a secret, but whether there was a hint before.
    Secret { is_gone: bool },
}

impl UndoList {
    /// Remembers what changes are about to take away, if anything.
    pub(crate) fn note(&mut self, store: &Store, changes: &[Change]) {
        let mut entry = Entry::default();
        for Change { at, kind, .. } in changes {
            match kind {
                ChangeKind::Set {
                    component,
                    key,
                    hint,
                    ..
                } => {
                    let variant = (component.clone(), key.clone(), hint.scope().cloned());
                    if hint.is_secret() {
                        self.forget(&variant);
                    }
                    entry.add(store, variant, Some(hint), *at);
                }
                ChangeKind::Delete(gone) => {
                    let scope = gone.scope.as_ref().map(|matcher| Scope::clone(matcher));
                    let variant = (gone.component.clone(), gone.key.clone(), scope);
                    entry.add(store, variant, None, *at);
                }
                ChangeKind::Clear => {
                    for slot in store.slots() {
                        for hint in slot.live(*at) {
                            let (component, key, hint) = slot.with_names(hint);
                            entry.add(store, (component, key, hint.scope().cloned()), None, *at);
                        }
                    }
                }
                // It follows from what becomes of the hint.
                ChangeKind::Mark(mark) | ChangeKind::Unmark(mark) if mark.is_of_hint() => {}
                ChangeKind::Mark(mark) if mark.stamp.is_some() => {
                    let wanted = !mark.wanted;
                    entry.marks.push(ChangeKind::Mark(Mark {
                        wanted,
                        ..mark.clone()
                    }));
                }
                ChangeKind::Mark(mark) => entry.marks.push(ChangeKind::Unmark(mark.clone())),
                ChangeKind::Unmark(mark) => entry.marks.push(ChangeKind::Mark(mark.clone())),
                _ => {}
            }
            if entry.bytes > MAX_BYTES {
                // To take back what came before it would mix two states.
                self.0.clear();
                return;
            }
        }
        if entry.steps.values().any(Step::takes_away) {
            self.0.push_back(entry);
        }
        let bytes = |list: &VecDeque<Entry>| list.iter().map(|entry| entry.bytes).sum::<usize>();
        while self.0.len() > MOST || bytes(&self.0) > MAX_BYTES {
            self.0.pop_front();
        }
    }

    /// The last write.
    pub(crate) fn last(&self) -> Result<Entry, Error> {
        self.0.back().cloned().ok_or_else(|| {
            let words = "there is nothing to undo; your last 20 deletes and overwrites are remembered \
                         until the server ends";
            Error::not_found("nothing", words)
        })
    }

    /// Forgets the last write.
    pub(crate) fn pop(&mut self) {
        self.0.pop_back();
    }

    /// Forgets a variant that is marked as secret from now on.
    fn forget(&mut self, variant: &Identity) {
        for entry in &mut self.0 {
            if let Some(step) = entry.steps.get_mut(variant) {
                *step = Step::Secret { is_gone: true };
            }
        }
    }
}

impl Step {
    fn takes_away(&self) -> bool {
        match self {
            Step::Changed { before, .. } => before.is_some(),
            Step::Secret { is_gone } => *is_gone,
        }
    }
}

impl Entry {
    fn add(
        &mut self,
        store: &Store,
        variant: Identity,
        hint: Option<&Arc<Hint>>,
        at: DateTime<Utc>,
    ) {
        if self.bytes > MAX_BYTES {
            return;
        }
        let before = (&variant.0, &variant.1);
        let before = store.live_variant(before, variant.2.as_ref(), at);
        let both = before.into_iter().chain(hint);
        let step = if both.clone().any(|hint| hint.is_secret()) {
            let is_gone = before.is_some();
            Step::Secret { is_gone }
        } else {
            let (before, after) = (before.cloned(), hint.cloned());
            Step::Changed { before, after }
        };
        self.bytes += size_of::<(Identity, Step)>() + variant.0.len() + variant.1.len();
        self.bytes += both.map(|hint| hint.bytes()).sum::<usize>();
        self.steps.insert(variant, step);
    }

    /// The changes that take the write back, if nobody has changed it since.
    pub(crate) fn plan(&self, on: WriteContext<'_>) -> Result<(Vec<ChangeKind>, Undone), Error> {
        let mut changes: Vec<ChangeKind> = self.marks.iter().rev().cloned().collect();
        let mut hints = Vec::new();
        for (variant, step) in &self.steps {
            let Step::Changed { before, after } = step else {
                continue;
            };
            let (component, key, scope) = variant.clone();
            let now = (&component, &key);
            let now = on.store.live_variant(now, scope.as_ref(), on.now);
            let is_live = |hint: &&Arc<Hint>| !hint.is_expired(on.now);
            let (before, after) = (before.as_ref(), after.as_ref().filter(is_live));
            let is_same = match (now, after) {
                (Some(now), Some(after)) => is_unchanged(now, after),
                (now, after) => now.is_none() && after.is_none(),
            };
            if !is_same {
                return Err(changed_since(variant, now));
            }
            let names = (component.clone(), key.clone());
            let hint = before.filter(is_live).map(|before| restored(before, now));
            match (&hint, now) {
                (Some(hint), _) => {
                    changes.extend(on.wanted((&component, &key), hint));
                    changes.push(ChangeKind::set(names, now, Arc::clone(hint)));
                }
                (None, Some(now)) => changes.push(ChangeKind::delete(names, now)),
                (None, None) => continue,
            }
            let was = match (before, after) {
                (None, _) => Was::Created,
                (_, None) => Was::Deleted,
                _ => Was::Overwritten,
            };
            hints.push(TakenBack {
                component,
                key,
                scope,
                was,
                hint,
            });
        }
        let is_secret = |step: &&Step| matches!(step, Step::Secret { is_gone: true });
        let secrets_left_out = self.steps.values().filter(is_secret).count();
        if hints.is_empty() {
            let words = if secrets_left_out > 0 {
                "your last change was to a secret, and nothing of it is remembered; set it again"
            } else {
                "what was there has expired since; set it again"
            };
            return Err(Error::not_found("gone", words));
        }
        check_room(on, &hints)?;
        let undone = Undone {
            hints,
            secrets_left_out,
        };
        Ok((changes, undone))
    }
}

/// Checks that there is room for what comes back, beside what goes.
fn check_room(on: WriteContext<'_>, hints: &[TakenBack]) -> Result<(), Error> {
    let is_back = |taken: &&TakenBack| taken.was == Was::Deleted;
    let back = hints.iter().filter(is_back).count();
    let gone = hints.iter().filter(|taken| taken.hint.is_none()).count();
    if back <= gone {
        return Ok(());
    }
    let (counts, limits) = (on.store.counts(), &on.config.limits);
    let is_user = on.by.is_user();
    let hints_after = counts.hints - counts.learned + back - gone;
    check_limit(("hints", limits.hints), hints_after, is_user)?;
    let back = hints.iter().filter(is_back);
    let back = back.filter_map(|taken| taken.hint.as_ref());
    let bytes = counts.bytes + back.map(|hint| hint.bytes()).sum::<usize>();
    check_limit(("bytes", limits.all_bytes()), bytes, is_user)
}

/// Whether a hint is the one that a write left, uses and versions aside.
fn is_unchanged(now: &Hint, after: &Hint) -> bool {
    let is_said = now.value == after.value && now.meta.says_the_same(&after.meta);
    is_said && now.updated_at == after.updated_at
}

/// What was there before, in the place of what is there now. A version never comes back, and
/// uses of the same value still count.
fn restored(before: &Arc<Hint>, now: Option<&Arc<Hint>>) -> Arc<Hint> {
    let used = now.filter(|now| now.value == before.value);
    Arc::new(Hint {
        meta: before.meta.clone(),
        created_at: before.created_at,
        updated_at: before.updated_at,
        lifetime: before.lifetime,
        expires_at: before.expires_at,
        version: now.unwrap_or(before).version.saturating_add(1),
        ..Hint::clone(used.unwrap_or(before))
    })
}

/// The refusal to take back what somebody has changed since.
fn changed_since((component, key, _): &Identity, now: Option<&Arc<Hint>>) -> Error {
    let origin = now.and_then(|hint| hint.meta.origin.as_ref());
    let by = origin.map(|origin| format!(" by {}", who(&origin.via, origin.client.as_ref())));
    let what = if now.is_some() { "set" } else { "deleted" };
    let words = format!(
        "`{component}/{key}` was {what} again{}, and stays as it is; undo again to take back your \
         change before that",
        by.unwrap_or_default()
    );
    let current = now.map_or(0, |hint| hint.version);
    let error = Error::of(ErrorKind::Conflict, "changed_since", words);
    error.and(|data| data.current_version = Some(current))
}
