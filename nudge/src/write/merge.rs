//! How what a write states merges with what was there.

use std::sync::Arc;

use crate::api::set_hint::MetaPatch;
use crate::hint::{HintMeta, Source};
use crate::model::name::Name;
use crate::scope::matcher::ScopeMatcher;
use crate::store::interner::Interner;

impl MetaPatch {
    /// The meta after the write, given what it was before; the scope is the
    /// variant's and is not merged, and who set the value is not said here.
    pub(crate) fn onto(
        self,
        before: Option<&HintMeta>,
        scope: Option<Arc<ScopeMatcher>>,
        interner: &Interner,
    ) -> HintMeta {
        let none = HintMeta::default();
        let before = before.unwrap_or(&none);
        HintMeta {
            reason: self
                .reason
                .map(|reason| reason.as_ref().into())
                .onto(|| before.reason.clone()),
            tags: self
                .tags
                .map(|tags| interner.tags(tags))
                .onto(|| Some(Arc::clone(&before.tags)))
                .unwrap_or_default(),
            priority: self.priority.onto(|| before.priority),
            confidence: self.confidence.onto(|| before.confidence),
            pin: self.pin.onto(|| Some(before.pin)).unwrap_or_default(),
            ttl: self.ttl.onto(|| before.ttl.clone()),
            sensitivity: self.sensitivity.onto(|| before.sensitivity),
            scope,
            source: self.source.onto(|| before.source).or(Some(Source::User)),
            added_by: self
                .added_by
                .map(|who| Name::from(&*who))
                .onto(|| before.added_by.clone()),
            anchors: self
                .anchors
                .map(|anchors| Box::from(&*anchors))
                .onto(|| Some(before.anchors.clone()))
                .unwrap_or_default(),
            origin: None,
        }
    }
}
