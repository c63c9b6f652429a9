//! What a bump does: whoever is not the user counts once for a hint in a while.

use std::collections::HashMap;
use std::hash::Hash;

use chrono::{DateTime, TimeDelta, Utc};

use crate::api::answer::Bumped;
use crate::api::caller::Caller;
use crate::api::selector::Bump;
use crate::model::error::Error;
use crate::model::host::known_by;
use crate::model::rate_limit::print;
use crate::model::scope::Scope;
use crate::nudge::Nudge;

/// How long a session does not count again for the same hint.
const ONCE_IN: TimeDelta = TimeDelta::minutes(10);

/// How many are remembered before those that no longer matter are forgotten.
const MANY: usize = 4096;

/// How many are remembered at all: sessions have any name that somebody gives them.
const MOST: usize = 16 * MANY;

/// Who has counted for which hint, and until when that matters.
#[derive(Default)]
pub(crate) struct Counted(HashMap<u64, DateTime<Utc>>);

impl Counted {
    fn has(&self, what: &impl Hash, now: DateTime<Utc>) -> bool {
        self.0.get(&print(what)).is_some_and(|until| *until > now)
    }

    fn note(&mut self, what: &impl Hash, now: DateTime<Utc>) {
        if self.0.len() >= MANY {
            self.0.retain(|_, until| *until > now);
        }
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(print(what), now + ONCE_IN);
    }
}

/// How a caller is remembered: by its session, beside its host. A host that tells no
/// session over MCP tells one in its hooks, and both are one.
#[derive(Hash)]
enum Who<'a> {
    Session(&'a str),
    /// The host of a caller that told no session.
    Without(&'a str),
    /// The host of any caller.
    Host(&'a str),
}

impl Nudge {
    /// Counts that a hint worked, or failed.
    pub(crate) fn count(&self, by: &Caller<'_>, bump: Bump) -> Result<Bumped, Error> {
        let now = self.clock.now();
        let host = by.client.map_or(by.via.as_str(), known_by);
        let names = (bump.component.clone(), bump.key.clone());
        let at = bump.context.clone().unwrap_or_default();
        let counted = self.counted.lock();
        let bumped = self.write(by, |on| {
            bump.plan(on, |variant| {
                let has = |who| counted.has(&(variant, who), now);
                by.is_user()
                    || !match by.session {
                        Some(session) => has(Who::Session(session)) || has(Who::Without(host)),
                        None => has(Who::Host(host)),
                    }
            })
        });
        drop(counted);
        let bumped = bumped.map_err(|why| self.unset(by, (&names.0, &names.1), &at, why))?;
        if bumped.counted > 0 {
            let names = (&*bumped.component, &*bumped.key);
            self.has_counted(by, names, bumped.hint.scope());
        }
        Ok(bumped)
    }

    /// Remembers that a caller has counted for a hint.
    pub(crate) fn has_counted(
        &self,
        by: &Caller<'_>,
        (component, key): (&str, &str),
        scope: Option<&Scope>,
    ) {
        if by.is_user() {
            return;
        }
        let now = self.clock.now();
        let host = by.client.map_or(by.via.as_str(), known_by);
        let variant = (component, key, scope);
        let own = by.session.map_or(Who::Without(host), Who::Session);
        let mut counted = self.counted.lock();
        counted.note(&(variant, own), now);
        counted.note(&(variant, Who::Host(host)), now);
    }
}
