//! How reads and writes take their turns.

use std::cell::LazyCell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use chrono::{DateTime, Utc};
use crossbeam_utils::sync::ShardedLockReadGuard;
use serde::Serialize;

use crate::api::caller::{Caller, Via};
use crate::api::reach::Reach;
use crate::model::error::Error;
use crate::nudge::Nudge;
use crate::rank::query::QueryContext;
use crate::scope::context::Context;
use crate::scope::glob::Allowance;
use crate::store::Store;
use crate::store::change::{Change, ChangeKind};
use crate::write::plan::WriteContext;
use crate::write::sink::Answer;

impl Nudge {
    /// Makes a plan, asks the sink, and does what the plan says.
    ///
    /// One writer at a time, so that the changes are numbered, seen by the
    /// sink and applied in one order; readers go on until they are applied.
    pub(crate) fn write<T: Serialize>(
        &self,
        by: &Caller<'_>,
        plan: impl FnOnce(WriteContext<'_>) -> Result<(Vec<ChangeKind>, T), Error>,
    ) -> Result<T, Error> {
        self.write_noting(by, plan, |changes| {
            let is_users = by.is_user() && by.via != Via::Project;
            if let Some(list) = self.undo_list.as_ref().filter(|_| is_users) {
                list.lock().note(&self.read(), changes);
            }
        })
    }

    /// The same, with something else to be noted once nobody refuses.
    pub(crate) fn write_noting<T: Serialize>(
        &self,
        by: &Caller<'_>,
        plan: impl FnOnce(WriteContext<'_>) -> Result<(Vec<ChangeKind>, T), Error>,
        note: impl FnOnce(&[Change]),
    ) -> Result<T, Error> {
        let _writing = self.writing.lock();
        let store = self.read();
        let knows = |context: &Context| self.knows_root(context);
        let on = WriteContext {
            store: &store,
            interner: &self.interner,
            config: &self.config,
            now: self.clock.now(),
            by,
            knows: &knows,
        };
        let _allowance = Allowance::for_hints(0);
        let (mut kinds, answer) = plan(on)?;
        if by.via != Via::Sync {
            kinds = on.stamped(kinds);
        }
        // To look at an origin costs more than a change; mostly there is no need to.
        let origin = LazyCell::new(|| on.origin().map(Arc::new));
        let mut last = self.last_change();
        let numbered = kinds.into_iter().map(|kind| {
            last = last.saturating_add(1);
            let is_told = kind.tells_of(by);
            Change {
                seq: last,
                at: on.now,
                by: if is_told { None } else { origin.clone() },
                kind,
            }
        });
        let changes: Vec<Change> = numbered.collect();
        drop(store);
        if let Some(sink) = self.sink.as_ref().filter(|_| !changes.is_empty()) {
            Answer::lend(by, &answer, |answer| sink.accept(by, &changes, answer))?;
        }
        note(&changes);
        self.last_change.store(last, Ordering::Release);
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        for change in changes {
            store.apply(change.kind);
        }
        Ok(answer)
    }

    // A poisoned lock is taken anyway. Everything that can fail is done before
    // `Store::apply`, and what that does cannot fail.
    pub(crate) fn read(&self) -> ShardedLockReadGuard<'_, Store> {
        self.store.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn query_context<'a>(
        &'a self,
        reach: &'a Reach<'a>,
        context: &'a Context,
        now: DateTime<Utc>,
    ) -> QueryContext<'a> {
        QueryContext {
            facts: context.facts(),
            weights: &self.config.weights,
            reach,
            now,
        }
    }
}
