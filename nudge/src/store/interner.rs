//! `Interned`: equal values share one allocation.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::Arc;

use hashbrown::{Equivalent, HashSet};
use parking_lot::Mutex;

use crate::hint::HintValue;
use crate::hint::meta::folded;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::scope::{Os, Scope};
use crate::scope::matcher::ScopeMatcher;

/// What the hints of a store share.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    pub(crate) matchers: Interned<ScopeMatcher>,
    pub(crate) tags: Interned<[Name]>,
}

impl Interner {
    /// A list of tags, each once, whatever its case, in the order given.
    pub(crate) fn tags(&self, mut given: Vec<Name>) -> Arc<[Name]> {
        if let Some(known) = self.tags.find(&given[..]) {
            return known;
        }
        let mut seen = BTreeSet::new();
        given.retain(|tag| seen.insert(folded(tag)));
        self.share_tags(given.into())
    }

    /// The tags that are shared by all that equal these.
    pub(crate) fn share_tags(&self, tags: Arc<[Name]>) -> Arc<[Name]> {
        let bytes = tags.iter().map(|tag| size_of::<Name>() + tag.len()).sum();
        self.tags.share(tags, bytes)
    }

    /// The matcher that is shared by all that equal this one.
    pub(crate) fn share_matcher(&self, matcher: Arc<ScopeMatcher>) -> Arc<ScopeMatcher> {
        let bytes = matcher.bytes();
        self.matchers.share(matcher, bytes)
    }
}

/// The values in use, so that equal ones share one.
#[derive(Debug)]
pub(crate) struct Interned<T: ?Sized>(Mutex<Shared<T>>);

#[derive(Debug)]
struct Shared<T: ?Sized> {
    values: HashSet<Arc<T>>,
    /// How many there may be before the unused ones are looked for.
    enough: usize,
    /// The bytes of those that were added since then.
    added: usize,
}

/// How many bytes may be added before that: what a store refuses is used by nobody, and may be
/// large.
const ENOUGH_BYTES: usize = 16 * 1024 * 1024;

impl<T: ?Sized + Eq + Hash> Shared<T> {
    /// Lets go of what nobody uses.
    fn tidy(&mut self) {
        self.values.retain(|value| Arc::strong_count(value) > 1);
        self.enough = 2 * self.values.len() + 64;
        self.added = 0;
    }
}

impl<T: ?Sized> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned(Mutex::new(Shared {
            values: HashSet::default(),
            enough: 64,
            added: 0,
        }))
    }
}

impl<T: ?Sized + Eq + Hash> Interned<T> {
    /// The value that equals another, if there is one.
    pub(crate) fn find<Q: ?Sized + Hash + Equivalent<Arc<T>>>(&self, like: &Q) -> Option<Arc<T>> {
        self.0.lock().values.get(like).cloned()
    }

    /// The value that is shared by all that equal this one, which takes about so many bytes.
    fn share(&self, value: Arc<T>, bytes: usize) -> Arc<T> {
        let mut shared = self.0.lock();
        shared.added += bytes;
        if shared.values.len() >= shared.enough || shared.added > ENOUGH_BYTES {
            shared.tidy();
        }
        Arc::clone(shared.values.get_or_insert(value))
    }

    /// Lets go of what nobody uses.
    pub(crate) fn tidy(&self) {
        self.0.lock().tidy();
    }

    /// Whether some value in use is like that.
    pub(crate) fn any(&self, is_like: impl Fn(&T) -> bool) -> bool {
        let shared = self.0.lock();
        let mut in_use = shared
            .values
            .iter()
            .filter(|value| Arc::strong_count(value) > 1);
        in_use.any(|value| is_like(value))
    }
}

/// Making matchers: what is equal is shared.
impl Interner {
    /// The matcher of a scope, `None` where it applies everywhere.
    ///
    /// A scope that is written as it was before is found without being
    /// checked again; otherwise it is checked and compiled outside the lock.
    pub(crate) fn matcher(&self, scope: Scope) -> Result<Option<Arc<ScopeMatcher>>, Error> {
        if scope.is_everywhere() {
            return Ok(None);
        }
        if let Some(matcher) = self.matchers.find(&scope) {
            return Ok(Some(matcher));
        }
        let matcher = Arc::new(ScopeMatcher::new(scope.canonical()?)?);
        Ok(Some(self.share_matcher(matcher)))
    }

    /// The matcher of the scope of a hint with this value: a path is meant only
    /// on its own systems.
    pub(crate) fn matcher_for(
        &self,
        mut scope: Scope,
        value: &HintValue,
    ) -> Result<Option<Arc<ScopeMatcher>>, Error> {
        let meant = value.systems();
        if !meant.is_empty() {
            let stated = scope.os.as_deref().unwrap_or(meant).iter();
            let both: Vec<Os> = stated.copied().filter(|os| meant.contains(os)).collect();
            if both.is_empty() {
                let words = "value.os has no system in common with the scope; give the scope the \
                             systems of the path";
                return Err(Error::invalid("value.os", "disjoint", words));
            }
            scope.os = Some(both);
        }
        self.matcher(scope).map_err(|error| error.within("meta"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_uses_takes_no_more_than_so_many_bytes() {
        let interner = Interner::default();
        let groups = format!("/{}", "+(a|b|c|d|e|f|g)".repeat(15));
        let scope = |number: usize| {
            let globs = (0..64).map(|other| format!("{groups}{number}x{other}"));
            globs.fold(Scope::new(), Scope::cwd_glob)
        };
        let matcher = |number| interner.matcher(scope(number)).unwrap().unwrap();
        let used: Vec<_> = (0..5).map(matcher).collect();
        let in_use: usize = used.iter().map(|matcher| matcher.bytes()).sum();
        for number in 5..60 {
            drop(matcher(number));
            let known = interner.matchers.0.lock();
            let all: usize = known.values.iter().map(|matcher| matcher.bytes()).sum();
            assert!(all <= in_use + ENOUGH_BYTES + used[0].bytes(), "{all}");
        }
    }
}
