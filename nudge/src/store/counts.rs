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
    /// Counts a hint in the place of another of its component; either may be missing.
    pub(crate) fn replace(&mut self, component: &Name, old: Option<&Hint>, new: Option<&Hint>) {
        if let Some(old) = old {
            self.hints -= 1;
            self.bytes = self.bytes.saturating_sub(old.bytes());
            self.learned -= usize::from(old.is_learned());
            for repo in repos(old) {
                let of_repo = self.by_repo.entry(repo.into()).or_default();
                let left = of_repo.remove(component).unwrap_or(1) - 1;
                if left > 0 {
                    of_repo.insert(component.clone(), left);
                } else if of_repo.is_empty() {
                    self.by_repo.remove(repo);
                }
            }
        }
        if let Some(new) = new {
            self.hints += 1;
            self.bytes += new.bytes();
            self.learned += usize::from(new.is_learned());
            for repo in repos(new) {
                let of_repo = self.by_repo.entry(repo.into()).or_default();
                *of_repo.entry(component.clone()).or_default() += 1;
            }
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
                    counts.replace(&gone.component, Some(&dead.hint), None);
                }
            }
        }
        counts
    }

    /// The limit by which the user, or others, may not add anything; `bytes` stands in the way of
    /// learning, too.
    pub(crate) fn reached(&self, limits: &Limits, is_user: bool) -> Option<&'static str> {
        let bytes = (("bytes", limits.all_bytes()), self.bytes + 1);
        let hints = (("hints", limits.hints), self.hints - self.learned + 1);
        let mut all = [bytes, hints].into_iter();
        all.find(|(limit, count)| check_limit(*limit, *count, is_user).is_err())
            .map(|((limit, _), _)| limit)
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
            learned.map(|hint| (slot.names(), hint))
        });
        let mut learned: Vec<_> = learned.collect();
        learned.sort_by_key(|(_, hint)| hint.last_used_at.unwrap_or(hint.updated_at));
        learned.into_iter()
    }
}

/// The repositories that a hint counts for: none where it was learned.
fn repos(hint: &Hint) -> impl Iterator<Item = &str> {
    let named = hint.repos();
    let none = named.is_none().then_some("");
    let repos = named.into_iter().flatten().map(String::as_str).chain(none);
    repos.filter(|_| !hint.is_learned())
}
