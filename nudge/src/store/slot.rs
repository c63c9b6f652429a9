//! `Slot` and `Variant`: a component and a key, and the hints they have.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::api::reach::Reach;
use crate::hint::Hint;
use crate::model::name::Name;
use crate::scope::context::Facts;
use crate::scope::matcher::{ScopeMatcher, allows_os};
use crate::store::text_index::TextPosition;

/// A component and a key, and the variants they have.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) component: Name,
    pub(crate) key: Name,
    pub(crate) variants: Vec<Variant>,
}

/// One hint of a slot, with its matcher at hand: most variants are passed over
/// without a look at the hint.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) hint: Arc<Hint>,
    matcher: Option<Arc<ScopeMatcher>>,
    pub(crate) place: TextPosition,
    /// The systems of the matcher, so that not even that is looked at for others.
    systems: u8,
}

impl Slot {
    /// All of its variants.
    pub(crate) fn hints(&self) -> impl Iterator<Item = &Arc<Hint>> + Clone {
        self.variants.iter().map(|variant| &variant.hint)
    }

    /// The variants that are not dead at `now`.
    pub(crate) fn live(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Arc<Hint>> + Clone {
        self.hints().filter(move |hint| !hint.is_expired(now))
    }

    /// Those of them that a caller may read.
    pub(crate) fn readable(
        &self,
        now: DateTime<Utc>,
        reach: &Reach<'_>,
    ) -> impl Iterator<Item = &Arc<Hint>> {
        self.live(now).filter(move |hint| reach.has(hint))
    }

    /// The hint whose text is at a place.
    pub(crate) fn hint_at(&self, place: TextPosition) -> Option<&Arc<Hint>> {
        let mut variants = self.variants.iter();
        variants
            .find(|variant| variant.place == place)
            .map(|variant| &variant.hint)
    }

    pub(crate) fn names(&self) -> (Name, Name) {
        (self.component.clone(), self.key.clone())
    }

    /// A hint of the slot with its names, to be looked at without the store.
    pub(crate) fn with_names(&self, hint: &Arc<Hint>) -> (Name, Name, Arc<Hint>) {
        (self.component.clone(), self.key.clone(), Arc::clone(hint))
    }
}

impl Variant {
    pub(crate) fn new(hint: Arc<Hint>, place: TextPosition) -> Variant {
        let matcher = hint.meta.scope.clone();
        Variant {
            systems: matcher.as_ref().map_or(0, |matcher| matcher.systems()),
            hint,
            matcher,
            place,
        }
    }

    /// Whether it is the variant of a scope.
    pub(crate) fn is_for(&self, scope: Option<&Arc<ScopeMatcher>>) -> bool {
        match (&self.matcher, scope) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other) || own == other,
            _ => false,
        }
    }

    /// Whether the scope matches the facts.
    pub(crate) fn matches(&self, facts: &Facts) -> bool {
        allows_os(self.systems, facts)
            && self
                .matcher
                .as_ref()
                .is_none_or(|matcher| matcher.matches(facts))
    }
}
