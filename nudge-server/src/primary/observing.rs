//! Observations: what a PRIMARY tells its observer, and asks it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;

use chrono::Local;
use nudge::{Caller, ChangeKind, Error, ErrorKind, Event, Repo};

use super::Primary;
use super::week::days_until;
use crate::config::LogLevel;
use crate::log::log;
use crate::observe::answers::{Observing, Pitfalls};
use crate::observe::requests::{GetPitfalls, Observe, Question};
use crate::observe::{Observer, PastEvent, no_repository};
use crate::store::{History, Receipts, has_history};

/// The shortest text whose rows go with it, in bytes: a shorter one stands in everything.
const LEAST_FORGOTTEN: usize = 4;

impl Primary {
    /// Records what hooks tell from now on, in a folder of ours.
    pub fn observe_in(&self, folder: &Path) {
        self.observer.get_or_init(|| Observer::new(folder).into());
        self.is_observing.store(true, Ordering::Relaxed);
    }

    /// Whether anything is recorded, or can be asked for. How commands ended is remembered
    /// without it.
    #[must_use]
    pub fn is_observing(&self) -> bool {
        self.is_observing.load(Ordering::Relaxed)
    }

    /// Deletes what was recorded of values that the user took away and that no hint has any more.
    pub(super) fn forget_values(&self) {
        let mut texts = self
            .memory()
            .map(|it| it.file().take_taken())
            .unwrap_or_default();
        texts.retain(|text| text.len() >= LEAST_FORGOTTEN);
        let folder = self.folder.as_ref().filter(|folder| has_history(folder));
        if folder.is_none() || texts.is_empty() {
            return;
        }
        // One that moved, or that others have as well, is not gone.
        self.nudge.standing(|changes| {
            let stand = changes.iter().filter_map(|change| match &change.kind {
                ChangeKind::Set { hint, .. } if !hint.is_secret() => Some(hint.value.text()),
                _ => None,
            });
            let stand: BTreeSet<_> = stand.collect();
            texts.retain(|text| !stand.contains(&**text));
        });
        let forgotten = self.observer.get().map(|observer| observer.forget(texts));
        self.nudge.close_books();
        if let Some(Err(error)) = forgotten {
            log(LogLevel::Warn, &error.to_string());
        }
    }

    /// Writes what was told, before the server ends.
    pub(super) fn finish_observations(&self) {
        self.forget_values();
        if let Some(observer) = self.observer.get() {
            observer.finish();
        }
    }

    pub(super) fn note_event(&self, params: &str) {
        if let Ok(observer) = self.observer()
            && let Ok(event) = serde_json::from_str::<Event>(params)
            && self.nudge.knows_root(&event.context)
        {
            let timestamp = self.nudge.now().timestamp();
            observer.note(PastEvent { timestamp, event });
        }
    }

    /// Asks what happened, which is nothing where the caller may not ask.
    pub(super) fn ask<Q: Question>(
        &self,
        by: &Caller<'_>,
        question: &Q,
    ) -> Result<Q::Answer, Error> {
        let observer = self.observer()?;
        let is_known = |context| self.nudge.knows_root(context);
        if !by.may_ask_from(question.context()) || !question.context().is_none_or(is_known) {
            return Ok(Q::Answer::default());
        }
        observer.ask(question, self.nudge.now().timestamp())
    }

    /// Says whether observations are recorded where the caller is, or changes that.
    pub(super) fn observe(&self, asked: &Observe) -> Result<Observing, Error> {
        match self.observer() {
            Err(_) if asked.on != Some(true) => Ok(Observing::default()),
            observer => observer?.observe(asked),
        }
    }

    /// Lists what is known not to run, after one of it was forgotten if so asked.
    pub(super) fn pitfalls(&self, asked: &GetPitfalls) -> Result<Pitfalls, Error> {
        let context = asked.context.as_ref().ok_or_else(no_repository)?;
        let forget = asked.forget.as_deref();
        let forgotten = forget.is_some_and(|form| self.nudge.forget_pitfall(context, form));
        let pitfalls = self.nudge.pitfalls(context);
        Ok(Pitfalls {
            pitfalls,
            forgotten,
        })
    }

    /// What hooks told agents today, and what came of it.
    pub(super) fn receipts(&self) -> Receipts {
        let begins = days_until(&self.nudge.now().with_timezone(&Local), 1);
        let from = begins.first().map_or(0, |begins| begins * 1000);
        let mut today = Receipts::default();
        let told = self.look_back(|history| history.receipts(from, i64::MAX));
        for of_repo in told.into_values() {
            today += of_repo;
        }
        today
    }

    /// Asks what was told and what agents did; of a store without a folder nothing is known.
    pub(super) fn look_back<T: Default>(
        &self,
        ask: impl FnOnce(&mut History) -> Result<T, String>,
    ) -> T {
        let observer = self.observer.get();
        observer.map_or_else(T::default, |observer| observer.look_back(ask))
    }

    /// Gives the runs of a repository another name. Without them it only starts over.
    pub(super) fn rename_runs(&self, old: &str, new: &str) {
        let names = [old, new].map(Repo::parse);
        if let ([Some(old), Some(new)], Some(observer)) = (names, self.observer.get()) {
            let _ = observer.rename_runs(old.as_str(), new.as_str());
            self.nudge.close_books();
        }
    }

    pub(super) fn observer(&self) -> Result<&Observer, Error> {
        let observer = self.observer.get().filter(|_| self.is_observing());
        observer.map(|observer| &**observer).ok_or_else(|| {
            let words = "observations are off; `nudge observe on` turns them on";
            Error::new(ErrorKind::Invalid, words)
        })
    }
}
