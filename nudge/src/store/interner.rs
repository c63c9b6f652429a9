//! `Pool`: equal values share one allocation.

use std::hash::Hash;
use std::sync::Arc;

use hashbrown::{Equivalent, HashSet};
use parking_lot::Mutex;

use crate::hint::tag::folded;
use crate::model::name::Name;
use crate::scope::matcher::Gate;

/// What the hints of a store share.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    pub(crate) gates: Pool<Gate>,
    pub(crate) tags: Pool<[Name]>,
}

impl Pools {
    /// A list of tags, each once, whatever its case, in the order given.
    pub(crate) fn tags(&self, mut given: Vec<Name>) -> Arc<[Name]> {
        if let Some(known) = self.tags.find(&given[..]) {
            return known;
        }
        let mut index = 0;
        while let Some(tag) = given.get(index).map(folded) {
            let known = given.get(..index).unwrap_or_default();
            if known.iter().any(|known| folded(known) == tag) {
                given.remove(index);
            } else {
                index += 1;
            }
        }
        self.tags.share(given.into())
    }
}

/// The values in use, so that equal ones share one.
#[derive(Debug)]
pub(crate) struct Pool<T: ?Sized>(Mutex<Shared<T>>);

#[derive(Debug)]
struct Shared<T: ?Sized> {
    values: HashSet<Arc<T>>,
    /// How many there may be before the unused ones are looked for.
    enough: usize,
}

impl<T: ?Sized> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::new(Shared {
            values: HashSet::default(),
            enough: 64,
        }))
    }
}

impl<T: ?Sized + Eq + Hash> Pool<T> {
    /// The value that equals another, if there is one.
    pub(crate) fn find<Q: ?Sized + Hash + Equivalent<Arc<T>>>(&self, like: &Q) -> Option<Arc<T>> {
        self.0.lock().values.get(like).cloned()
    }

    /// The value that is shared by all that equal this one.
    pub(crate) fn share(&self, value: Arc<T>) -> Arc<T> {
        let mut shared = self.0.lock();
        if shared.values.len() >= shared.enough {
            shared.values.retain(|value| Arc::strong_count(value) > 1);
            shared.enough = 2 * shared.values.len() + 64;
        }
        Arc::clone(shared.values.get_or_insert(value))
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
