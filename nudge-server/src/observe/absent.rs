//! `Observer` of a build without observations: it keeps nothing, and says so.

#![expect(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    reason = "it is called as the other one is"
)]

use std::collections::BTreeMap;
use std::path::Path;

use nudge::{Error, ErrorKind};

use super::Noted;
use super::answers::{Observing, Purged};
use super::requests::{Observe, Purge, Question};

/// Nothing.
pub(crate) struct Observer;

impl Observer {
    pub(crate) fn new(_: &Path) -> Observer {
        Observer
    }

    pub(crate) fn note(&self, _: Noted) {}

    pub(crate) fn finish(&self) {}

    pub(crate) fn warning(&self) -> Option<String> {
        Some(absent().to_string())
    }

    pub(crate) fn take_notices(&self) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn ask<Q: Question>(&self, _: &Q, _: i64) -> Result<Q::Answer, Error> {
        Err(absent())
    }

    pub(crate) fn observe(&self, _: &Observe) -> Result<Observing, Error> {
        Err(absent())
    }

    pub(crate) fn note_past(
        &self,
        _: &[Noted],
        _: i64,
        _: bool,
    ) -> Result<BTreeMap<String, usize>, Error> {
        Err(absent())
    }

    pub(crate) fn purge(&self, _: &Purge) -> Result<Purged, Error> {
        Err(absent())
    }
}

fn absent() -> Error {
    let words = "this build of Nudge has no observations; build it with the feature `observe`";
    Error::new(ErrorKind::Unavailable, words)
}
