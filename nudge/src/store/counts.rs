//! `Counts`: how much a store holds, kept up to date with every change, so that a write need not look.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hashbrown::HashMap;

use crate::config::{Limits, check_limit};
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::store::Store;
use crate::store::change::ChangeKind;

/// How many hints that were learned a store holds; the one unused longest makes room for another.
pub(crate) const MOST_LEARNED: usize = 5_000;

/// How much a store holds, as its limits count it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    /// How many hints each component has in each repository; `""` is what names none. What was
    /// learned is not in it.
    by_repo: HashMap<Name, HashMap<Name, usize>>,
    /// All hints, the learned ones among them.
    pub(crate) hints: usize,
    pub(crate) learned: usize,
    /// What they take of memory, about.
    pub(crate) bytes: usize,
}

impl Counts {
    fn add(&mut self, component: &Name, hint: &Hint) {
        self.hints += 1;
        self.bytes += hint.bytes();
        if hint.is_learned() {
            self.learned += 1;
            return;
        }
        for repo in repos(hint) {
            let of_repo = self.by_repo.entry(repo.into()).or_default();
            *of_repo.entry(component.clone()).or_default() += 1;
        }
    }

    pub(crate) fn remove(&mut self, component: &Name, hint: &Hint) {
        self.hints = self.hints.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(hint.bytes());
        if hint.is_learned() {
            self.learned = self.learned.saturating_sub(1);
            return;
        }
        for repo in repos(hint) {
            let Some(of_repo) = self.by_repo.get_mut(repo) else {
                continue;
            };
            if let Some(count) = of_repo.get_mut(component) {
                *count -= 1;
            }
            if of_repo.get(component) == Some(&0) {
                of_repo.remove(component);
            }
            if of_repo.is_empty() {
                self.by_repo.remove(repo);
            }
        }
    }

    /// Counts a hint, in the place of another of the same scope if there is one.
    pub(crate) fn put(&mut self, component: &Name, old: Option<&Hint>, new: &Hint) {
        match old {
            Some(old) if old.is_learned() == new.is_learned() => {
                self.bytes = (self.bytes + new.bytes()).saturating_sub(old.bytes());
            }
            Some(old) => {
                self.remove(component, old);
                self.add(component, new);
            }
            None => self.add(component, new),
        }
    }

    /// The counts without what changes let expire.
    pub(crate) fn without(&self, changes: &[ChangeKind], store: &Store) -> Counts {
        let mut counts = self.clone();
        for change in changes {
            if let ChangeKind::Expire(gone) = change {
                let slot = store.slot(&gone.component, &gone.key);
                let mut variants = slot.into_iter().flat_map(|slot| &slot.variants);
                if let Some(dead) = variants.find(|variant| variant.is_for(gone.scope.as_ref())) {
                    counts.remove(&gone.component, &dead.hint);
                }
            }
        }
        counts
    }

    /// Checks that a hint fits beside the others, or in the place of one. What gets no larger
    /// always does, and what is learned makes room among its kind.
    pub(crate) fn check(
        &self,
        (component, hint): (&Name, &Hint),
        before: Option<&Hint>,
        limits: &Limits,
        is_user: bool,
    ) -> Result<(), Error> {
        if !hint.is_learned() && before.is_none_or(Hint::is_learned) {
            for repo in repos(hint) {
                let of_repo = self.by_repo.get(repo);
                let there = of_repo.and_then(|all| all.get(component));
                let components = of_repo.map_or(0, HashMap::len) + usize::from(there.is_none());
                let hints = there.map_or(1, |there| there + 1);
                check_limit(("components", limits.components), components, is_user)?;
                let most = ("hints_per_component", limits.hints_per_component);
                check_limit(most, hints, is_user)?;
            }
            let hints = self.hints - self.learned + 1;
            check_limit(("hints", limits.hints), hints, is_user)?;
        }
        let (bytes, old) = (hint.bytes(), before.map_or(0, Hint::bytes));
        if bytes > old {
            let bytes = (self.bytes + bytes).saturating_sub(old);
            check_limit(("bytes", limits.all_bytes()), bytes, is_user)?;
        }
        Ok(())
    }
}

impl Store {
    /// What was learned, the one that was not used for longest first.
    pub(crate) fn learned_by_use(
        &self,
        now: DateTime<Utc>,
    ) -> impl Iterator<Item = ((Name, Name), &Arc<Hint>)> {
        let learned = self.slots().flat_map(|slot| {
            let learned = slot.live(now).filter(|hint| hint.is_learned());
            learned.map(|hint| ((slot.component.clone(), slot.key.clone()), hint))
        });
        let mut learned: Vec<_> = learned.collect();
        learned.sort_by_key(|(_, hint)| hint.last_used_at.unwrap_or(hint.updated_at));
        learned.into_iter()
    }
}

/// The repositories that a hint counts for.
fn repos(hint: &Hint) -> impl Iterator<Item = &str> {
    let named = hint.scope().and_then(|scope| scope.repo.as_deref());
    let none = named.is_none().then_some("");
    named.into_iter().flatten().map(String::as_str).chain(none)
}
