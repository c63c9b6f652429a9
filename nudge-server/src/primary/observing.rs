//! Observations: what a PRIMARY tells its observer, and asks it.

use std::path::Path;

use nudge::{Caller, Error, ErrorKind};

use super::Primary;
use crate::observe::answers::{Observing, Purged};
use crate::observe::requests::{Observe, Purge, Question};
use crate::observe::{Noted, Observer};

impl Primary {
    /// Records what hooks tell from now on, below a home.
    pub fn observe_in(&self, home: &Path) {
        self.observer.get_or_init(|| Observer::new(home));
    }

    /// Whether anything is recorded, or can be asked for.
    #[must_use]
    pub fn is_observing(&self) -> bool {
        self.observer.get().is_some()
    }

    /// Writes what was told, before the server ends.
    pub(super) fn finish_observations(&self) {
        if let Some(observer) = self.observer.get() {
            observer.finish();
        }
    }

    /// Has an event recorded that a hook told.
    pub(super) fn note_event(&self, by: &Caller<'_>, params: &str) {
        if let Some(observer) = self.observer.get() {
            observer.note(Noted {
                at: self.nudge.now().timestamp(),
                params: params.to_owned(),
                here: by.here.cloned(),
            });
        }
    }

    /// Asks what happened.
    pub(super) fn ask<Q: Question>(&self, question: &Q) -> Result<Q::Answer, Error> {
        self.observer()?.ask(question, self.nudge.now().timestamp())
    }

    /// Says whether observations are recorded where the caller is, or changes that.
    pub(super) fn observe(&self, asked: &Observe) -> Result<Observing, Error> {
        match self.observer() {
            Err(_) if asked.on != Some(true) => Ok(Observing::default()),
            observer => observer?.observe(asked),
        }
    }

    /// Deletes observations.
    pub(super) fn purge(&self, asked: &Purge) -> Result<Purged, Error> {
        self.observer()?.purge(asked)
    }

    fn observer(&self) -> Result<&Observer, Error> {
        self.observer.get().ok_or_else(|| {
            let words = "observations are off; write `observe = true` into \
                         `~/.config/nudge-hints/config.toml`, then type `nudge restart`";
            Error::new(ErrorKind::Invalid, words)
        })
    }
}
