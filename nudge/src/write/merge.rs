//! How what a write states merges with what was there.

use std::sync::Arc;

use crate::api::set_hint::{MetaPatch, Patch};
use crate::hint::{HintMeta, Source};
use crate::model::error::Error;
use crate::model::ttl::Ttl;
use crate::scope::matcher::ScopeMatcher;
use crate::store::interner::Interner;

impl MetaPatch {
    /// The meta after the write, given what it was before; the scope is the
    /// variant's and is not merged, and who set the value is not said here.
    pub(crate) fn onto(
        self,
        before: Option<&HintMeta>,
        scope: Option<Arc<ScopeMatcher>>,
        default_ttl: &Ttl,
        interner: &Interner,
    ) -> Result<HintMeta, Error> {
        let none = HintMeta::default();
        let before = before.unwrap_or(&none);
        // A number that a byte cannot hold is as far out of range as 255.
        let priority = self
            .priority
            .map(|given| u8::try_from(given).unwrap_or(u8::MAX));
        let ttl = match self.ttl {
            Patch::Keep => before.ttl.clone(),
            Patch::Clear => None,
            Patch::Set(text) => Some(text.parse::<Ttl>().map_err(|error| error.within("meta"))?),
        };
        Ok(HintMeta {
            reason: self.reason.onto(|| before.reason.clone()),
            tags: self
                .tags
                .map(|tags| interner.tags(tags))
                .onto(|| Some(Arc::clone(&before.tags)))
                .unwrap_or_default(),
            priority: priority.onto(|| before.priority),
            confidence: self.confidence.onto(|| before.confidence),
            ttl: ttl.or_else(|| default_ttl.stamp()),
            sensitivity: self.sensitivity.onto(|| before.sensitivity),
            scope,
            source: self.source.onto(|| before.source).or(Some(Source::User)),
            added_by: self.added_by.onto(|| before.added_by.clone()),
            origin: None,
        })
    }
}
